// Every string reaches the page as text (textContent), never as markup.
const data = JSON.parse(document.getElementById('data').textContent);
const page = document.getElementById('page');
const root = document.documentElement;
const repaint = [], attached = [];

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
const bytes = (text) => {
  const raw = atob(text);
  const out = new Uint8Array(raw.length);
  for (let i = 0; i < raw.length; i++) out[i] = raw.charCodeAt(i);
  return out.buffer;
};
const floats = (text) => new Float32Array(bytes(text));
const three = (v) => {
  if (!Number.isFinite(v)) return 'unknown';
  if (v === 0) return '0';
  const size = Math.abs(v);
  if (size >= 1000 && size < 1e15) return Math.round(Number(v.toPrecision(3))).toLocaleString('en');
  return String(Number(v.toPrecision(3)));
};
const time = (nanos) => !Number.isFinite(nanos) ? 'unknown'
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

// As wide as the screen has room for, so that letters keep their size.
const roomFor = (most) => Math.max(280, Math.min(most, innerWidth - 60));

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
