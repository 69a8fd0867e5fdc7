// What pages of Argus have in common: the one that `diagnose` writes, and the one that a server serves. Every string reaches a page as text (textContent), never as markup.
const root = document.documentElement;

// ---- small helpers

const el = (tag, props, ...children) => {
  const node = document.createElement(tag);
  for (const [key, value] of Object.entries(props || {})) {
    if (key === 'class') node.className = value;
    else if (key.startsWith('on')) node.addEventListener(key.slice(2), value);
    else node.setAttribute(key, value);
  }
  for (const child of children.flat()) if (child !== null && child !== undefined) node.append(child);
  return node;
};
const svg = (tag, props, text) => {
  const node = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [key, value] of Object.entries(props || {})) node.setAttribute(key, value);
  if (text !== undefined) node.textContent = text;
  return node;
};
const three = (v) => {
  if (!Number.isFinite(v)) return 'unknown';
  if (v === 0) return '0';
  const size = Math.abs(v);
  if (size >= 1000 && size < 1e15) return Math.round(Number(v.toPrecision(3))).toLocaleString('en');
  return String(Number(v.toPrecision(3)));
};
const time = (nanos) => !Number.isFinite(nanos) ? 'unknown' : nanos === 0 ? '0\u00a0s'
  : nanos < 1e6 ? three(nanos / 1e3) + '\u00a0us' : nanos < 1e9 ? three(nanos / 1e6) + '\u00a0ms' : three(nanos / 1e9) + '\u00a0s';
const percent = (ratio) => (!Number.isFinite(ratio) ? 'unknown' : ratio === 0 ? '0' : Math.abs(ratio) < 9.995 && Math.abs(ratio) >= 1e-6
  ? (100 * ratio).toPrecision(3) : three(100 * ratio)) + '\u00a0%';
const signed = (ratio) => (ratio > 0 ? '+' : ratio < 0 ? '\u2212' : '') + percent(Math.abs(ratio));
const factor = (v) => (v >= 0.1 && v < 9.995 ? v.toFixed(2) : three(v)) + 'x';
const stepText = (first, last) => first === last ? 'step ' + first.toLocaleString('en')
  : 'steps ' + first.toLocaleString('en') + ' to ' + last.toLocaleString('en');
const css = (name) => getComputedStyle(root).getPropertyValue(name).trim();
const dark = () => root.getAttribute('data-theme') === 'dark';
const section = (id, title, ...children) => el('section', {id}, el('h2', {}, title), ...children);
const note = (...text) => el('p', {class: 'note'}, ...text);
const fields = (list) => el('dl', {}, list.flatMap(([label, text]) => [el('dt', {}, label), el('dd', {}, text)]));

// ---- colours: even steps in OKLab, blue to orange around a neutral middle, safe for colour-blind eyes

const toLab = (hex) => {
  const [r, g, b] = [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16) / 255)
    .map((c) => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return [0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s, 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s];
};
const toRgb = ([L, a, b]) => {
  const l = (L + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (L - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (L - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const linear = [4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s, -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s];
  return linear.map((c) => {
    const v = c <= 0.0031308 ? 12.92 * c : 1.055 * c ** (1 / 2.4) - 0.055;
    return Math.round(255 * Math.min(1, Math.max(0, v)));
  });
};
const scale = (stops) => {
  const labs = stops.map(toLab);
  const table = [];
  for (let i = 0; i < 256; i++) {
    const at = i / 255 * (labs.length - 1);
    const k = Math.min(labs.length - 2, Math.floor(at));
    table.push('rgb(' + toRgb(labs[k].map((v, c) => v + (at - k) * (labs[k + 1][c] - v))).join(',') + ')');
  }
  return (x) => table[Math.round(255 * Math.min(1, Math.max(0, x)))];
};
const diverging = () => scale(dark() ? ['#8fc6ff', '#3f78b8', '#2b3038', '#b8602a', '#ffb07a'] : ['#174a8c', '#7fabd8', '#efeee9', '#e09a62', '#8f3a00']);
const sequential = () => scale(dark() ? ['#23272e', '#3c6a8f', '#d9c35a', '#fff3b0'] : ['#f5f3ee', '#9fc0c9', '#2f6c8f', '#0d2b52']);

// ---- a value and its threshold

const picture = (row) => {
  if (!Number.isFinite(row.value) || !Number.isFinite(row.threshold)) return '';
  const most = 1.15 * Math.max(Math.abs(row.value), Math.abs(row.threshold), row.isRatio ? 1 : 0) || 1;
  const least = Math.min(0, 1.15 * row.value, 1.15 * row.threshold);
  const x = (v) => 6 + 148 * (v - least) / (most - least);
  const art = svg('svg', {class: 'small', width: 160, height: 22, viewBox: '0 0 160 22', role: 'img',
    'aria-label': row.valueText + ', threshold ' + row.thresholdText});
  art.append(svg('line', {class: 'axis', x1: 6, x2: 154, y1: 11, y2: 11}));
  if (row.isRatio) art.append(svg('line', {class: 'cross', x1: x(1), x2: x(1), y1: 6, y2: 16}));
  art.append(svg('line', {class: 'change', x1: x(row.threshold), x2: x(row.threshold), y1: 2, y2: 20}));
  art.append(svg('circle', {class: 'dot', cx: x(row.value), cy: 11, r: 5}));
  return art;
};

// ---- kernels: durations of suspects over the band of their peers

const inWords = ([, , , , shift, moved, mode]) => {
  if (Math.abs(shift) < 0.01) return 'as its peers';
  const size = percent(Math.abs(shift)) + (shift > 0 ? ' longer' : ' shorter');
  if (Math.abs(mode) < Math.min(0.03, Math.abs(shift) / 3)) return size + ': modes where the peers have them, in another mix';
  return size + (moved >= 0.9 ? ': all of its distribution moved' : ': ' + percent(moved) + ' of its distribution moved');
};
const modePlot = (k) => {
  const [low, mid, high] = k.band, curves = k.curves;
  const W = 360, H = 190, left = 44, right = 10, topEdge = 10, bottom = 34, n = mid.length;
  const most = Math.min(1, [...high, ...curves.flatMap(([, share]) => [...share])].reduce((a, b) => Math.max(a, b), 1e-6) * 1.05);
  const x = (i) => left + (W - left - right) * i / n;
  const y = (v) => topEdge + (H - topEdge - bottom) * (1 - v / most);
  const art = svg('svg', {viewBox: `0 0 ${W} ${H}`, role: 'img', 'aria-label': 'Durations of the suspect over the band of its peers'});
  for (let i = 0; i <= 2; i++) {
    art.append(svg('line', {class: 'axis', x1: left, x2: W - right, y1: y(most * i / 2), y2: y(most * i / 2)}));
    art.append(svg('text', {x: left - 6, y: y(most * i / 2) + 4, 'text-anchor': 'end'}, percent(most * i / 2)));
  }
  for (let i = 0; i <= 3; i++) {
    const at = left + (W - left - right) * i / 3;
    art.append(svg('text', {x: at, y: H - bottom + 16, 'text-anchor': i === 0 ? 'start' : i === 3 ? 'end' : 'middle'}, time(k.low * (k.high / k.low) ** (i / 3))));
  }
  art.append(svg('text', {x: left, y: H - 3}, 'duration, log axis; share of launches'));
  const stairs = (share) => Array.from(share).map((v, i) => `${i ? 'L' : 'M'}${x(i).toFixed(1)},${y(v).toFixed(1)}L${x(i + 1).toFixed(1)},${y(v).toFixed(1)}`).join('');
  const back = Array.from(low).map((v, i) => [i, v]).reverse().map(([i, v]) => `L${x(i + 1).toFixed(1)},${y(v).toFixed(1)}L${x(i).toFixed(1)},${y(v).toFixed(1)}`).join('');
  art.append(svg('path', {class: 'band', d: stairs(high) + back + 'Z'}));
  art.append(svg('path', {class: 'main', d: stairs(mid)}));
  const dashes = ['', '6 3', '2 3', '8 3 2 3'];
  curves.forEach(([, share], i) => art.append(svg('path', {class: 'curve', 'stroke-dasharray': dashes[i % 4], d: stairs(share)})));
  const line = (cls, dash) => {
    const s = svg('svg', {class: 'small', width: 26, height: 8, viewBox: '0 0 26 8', 'aria-hidden': 'true'});
    s.append(svg('line', {class: cls, x1: 1, x2: 25, y1: 4, y2: 4, 'stroke-dasharray': dash}));
    return s;
  };
  const words = k.ranks.filter((r) => r[1]).slice(0, 4).map((r) => el('li', {}, 'rank ' + r[0] + ': ' + inWords(r)));
  return el('figure', {}, art, el('figcaption', {}, el('div', {class: 'kernel'}, k.name),
    el('div', {class: 'legend note'}, curves.map(([rank], i) => el('span', {class: 'legend'}, line('curve', dashes[i % 4]), 'rank ' + rank)),
      el('span', {class: 'legend'}, line('main', ''), 'peers\u2019 median, with their band')), el('ul', {}, words)));
};
