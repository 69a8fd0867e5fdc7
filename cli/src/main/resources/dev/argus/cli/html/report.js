'use strict';
// Draws the page from the JSON block beside it. Every string reaches the page as text (textContent), never as markup.
(() => {
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

  // ---- top bar and card

  const setTheme = (name) => {
    root.setAttribute('data-theme', name);
    repaint.forEach((paint) => paint());
  };
  const prefers = matchMedia('(prefers-color-scheme: dark)');
  let chosen = null;
  root.setAttribute('data-theme', prefers.matches ? 'dark' : 'light');
  prefers.addEventListener('change', () => { if (chosen === null) setTheme(prefers.matches ? 'dark' : 'light'); });
  const switchTheme = el('button', {type: 'button', onclick: () => {
    chosen = dark() ? 'light' : 'dark';
    setTheme(chosen);
  }}, 'Light / dark');

  const links = [];
  const add = (node, label) => {
    page.append(node);
    if (label) links.push(el('a', {href: '#' + node.id}, label));
  };
  const nav = el('nav', {'aria-label': 'Parts of this page'});
  page.append(el('div', {class: 'bar'}, el('strong', {}, 'ARGUS'), nav, el('span', {class: 'grow'}),
    el('span', {class: 'controls'}, switchTheme)));

  const top = data.incidents[0];
  const card = el('section', {id: 'card', class: 'card ' + data.tone}, el('h1', {}, data.headline),
    el('p', {class: 'sentence'}, data.sentence), fields([...(top ? top.fields : []), ...data.about]));
  const list = (lines) => el('ul', {}, lines.map((line) => el('li', {}, line)));
  if (!top && data.analysed) {
    card.append(el('h3', {}, 'What was checked, and what could not be'), list(data.looked.concat(data.checked)));
  }
  add(card, 'Verdict');

  // ---- evidence

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
  const proof = (incident) => {
    const rows = incident.evidence.map((row) => el('tr', {}, el('td', {class: 'n'}, row.valueText), el('td', {}, row.what),
      el('td', {}, row.reference), el('td', {class: 'n'}, row.thresholdText || '\u2013'), el('td', {}, picture(row))));
    const table = el('div', {class: 'scroll'}, el('table', {}, el('thead', {}, el('tr', {}, el('th', {class: 'n'}, 'Value'),
      el('th', {}, 'What was measured'), el('th', {}, 'Compared with'), el('th', {class: 'n'}, 'Threshold'), el('th', {}, ''))),
    el('tbody', {}, rows)));
    return [incident.explanation ? el('p', {}, incident.explanation) : null, rows.length ? table : null,
      rows.length ? note('Dot: the value; dashed line: the threshold; grey tick: 1.00x, as the reference.') : null,
      incident.evidenceLeftOut ? note(incident.evidenceLeftOut + ' more rows; --format json has them all.') : null,
      incident.concerned.length ? fields(incident.concerned) : null];
  };
  if (top) add(section('why', 'Why we believe it', ...proof(top)), 'Evidence');

  // ---- attempts

  const attempts = data.attempts;
  let current = Math.max(0, attempts.findIndex((a) => top && a.attempt === top.attempt));
  if (!top || attempts.every((a) => a.attempt !== top.attempt)) current = attempts.length - 1;
  const measured = el('div', {});

  const marks = (attempt) => data.incidents.map((incident, i) => ({incident, number: i + 1}))
    .filter(({incident}) => incident.attempt === attempt.attempt && incident.first >= 0).slice(0, 9);
  const positionOf = (steps, step) => {
    let at = steps.findIndex((s) => s >= step);
    return at < 0 ? steps.length - 1 : at;
  };
  const eventWord = (kind) => kind === 'transient' ? 'long for all ranks (hollow)' : kind;

  // ---- step times

  const stepChart = (attempt) => {
    const s = attempt.steps;
    const n = s.step.length;
    const typical = floats(s.typical), low = floats(s.low), high = floats(s.high);
    const known = Array.from(typical).filter(Number.isFinite).sort((a, b) => a - b);
    if (!known.length) return section('steps', 'Step times', note('No step has a time that could be measured.'));
    const W = 1120, H = 260, left = 64, right = 12, topEdge = 30, bottom = 44;
    const values = [...known, ...low, ...high].filter((v) => Number.isFinite(v) && v > 0);
    let least = values.reduce((a, b) => Math.min(a, b)), most = values.reduce((a, b) => Math.max(a, b));
    const log = most > 6 * known[known.length >> 1];
    const zero = !log && least < 0.5 * most;
    if (zero) least = 0; else { least *= 0.98; }
    most *= 1.02;
    const f = log ? Math.log : (v) => v;
    const y = (v) => topEdge + (H - topEdge - bottom) * (1 - (f(v) - f(least)) / (f(most) - f(least) || 1));
    const x = (i) => left + (W - left - right) * (n === 1 ? 0.5 : i / (n - 1));
    const half = n === 1 ? 20 : (W - left - right) / (n - 1) / 2;
    const art = svg('svg', {viewBox: `0 0 ${W} ${H}`, role: 'img', tabindex: 0, 'aria-label':
      'Step times; arrow keys move from step to step'});
    for (const {incident, number} of marks(attempt)) {
      const a = positionOf(s.step, incident.first), b = positionOf(s.step, incident.last);
      const from = Math.max(left, x(a) - half), to = Math.min(W - right, x(b) + half);
      art.append(svg('rect', {class: 'during', x: from, y: topEdge, width: Math.max(1, to - from), height: H - topEdge - bottom}));
      art.append(svg('line', {class: 'change', x1: from, x2: from, y1: topEdge - 8, y2: H - bottom}));
      art.append(svg('text', {class: 'change-label', x: from + 3 + 14 * ((number - 1) % 9), y: topEdge - 12}, String(number)));
    }
    for (let k = 0; k <= 4; k++) {
      const v = log ? least * (most / least) ** (k / 4) : least + (most - least) * k / 4;
      art.append(svg('line', {class: 'axis', x1: left, x2: W - right, y1: y(v), y2: y(v)}));
      art.append(svg('text', {x: left - 8, y: y(v) + 4, 'text-anchor': 'end'}, time(v)));
    }
    const every = Math.max(1, Math.ceil(n / 14));
    for (let i = 0; i < n; i += every) art.append(svg('text', {x: x(i), y: H - bottom + 16, 'text-anchor': 'middle'}, s.step[i].toLocaleString('en')));
    art.append(svg('text', {x: left, y: H - 6}, 'step'));
    for (const [kind, first, last] of attempt.events) {
      const a = positionOf(s.step, first), b = positionOf(s.step, last);
      const from = Math.max(left, x(a) - half), to = Math.min(W - right, x(b) + half);
      const mark = svg('rect', {class: kind === 'transient' ? 'long' : 'event', x: from, y: H - bottom + 20, width: Math.max(3, to - from), height: 6});
      mark.append(svg('title', {}, eventWord(kind) + ', ' + stepText(first, last)));
      art.append(mark);
    }
    const path = (list) => list.map(([i, v], k) => (k ? 'L' : 'M') + x(i).toFixed(1) + ',' + y(v).toFixed(1)).join('');
    const both = Array.from(typical.keys()).filter((i) => low[i] > 0 && Number.isFinite(high[i]));
    if (both.length > 1) {
      art.append(svg('path', {class: 'band', d: path(both.map((i) => [i, Math.max(low[i], log ? least : 0)]))
        + path(both.slice().reverse().map((i) => [i, high[i]])).replace('M', 'L') + 'Z'}));
    }
    const points = Array.from(typical.keys()).filter((i) => Number.isFinite(typical[i]));
    art.append(svg('path', {class: 'main', d: path(points.map((i) => [i, typical[i]]))}));
    if (n <= 80) points.forEach((i) => art.append(svg('circle', {class: 'dot', cx: x(i), cy: y(typical[i]), r: 2.6})));
    const cross = svg('line', {class: 'cross', y1: topEdge, y2: H - bottom, x1: -9, x2: -9});
    art.append(cross);
    const readout = el('p', {class: 'readout note', 'aria-live': 'polite'}, 'Point at a step, or use the arrow keys, to read its values.');
    let at = 0;
    const show = (i) => {
      at = Math.min(n - 1, Math.max(0, i));
      cross.setAttribute('x1', x(at));
      cross.setAttribute('x2', x(at));
      const last = s.perPoint > 1 ? ' (longest of ' + s.perPoint + ')' : '';
      const here = attempt.events.filter(([, a, b]) => s.step[at] >= a && s.step[at] <= b).map(([kind]) => eventWord(kind));
      const when = s.startMillis[at] > 1e12 ? '; began ' + new Date(s.startMillis[at]).toLocaleString() : '';
      readout.textContent = 'step ' + s.step[at].toLocaleString('en') + last + ': ' + time(typical[at]) + '; ranks from '
        + time(low[at]) + ' to ' + time(high[at]) + (here.length ? '; ' + here.join(', ') : '') + when;
      readout.title = s.startMillis[at] > 1e12 ? new Date(s.startMillis[at]).toISOString() : '';
    };
    art.addEventListener('mousemove', (e) => {
      const box = art.getBoundingClientRect();
      show(Math.round(((e.clientX - box.left) / box.width * W - left) / (W - left - right) * (n - 1)));
    });
    art.addEventListener('keydown', (e) => {
      const move = {ArrowLeft: -1, ArrowRight: 1, Home: -n, End: n}[e.key];
      if (move) { show(at + move); e.preventDefault(); }
    });
    const axis = log ? 'Logarithmic axis. ' : zero ? '' : 'The axis begins at ' + time(least) + ', not at 0. ';
    const kinds = [...new Set(attempt.events.map(([kind]) => eventWord(kind)))];
    return section('steps', 'Step times', art, readout,
      note('Line: the job\u2019s step time, start to start (the longest of the stages\u2019 medians). Band: fastest to slowest rank; the last step is only its mark. ', axis,
        marks(attempt).length ? 'Dashed lines: where an incident begins; the number is its place in the list of incidents; shaded: until its last step. ' : '',
        kinds.length ? 'Bars below the axis: ' + kinds.join(', ') + '. ' : '',
        s.perPoint > 1 ? 'Each point is the longest of ' + s.perPoint + ' steps.' : ''));
  };

  // ---- heat map

  const MISSING = -32768, CUT = -32767, NO_PEERS = -32766;
  const MEASURES = {own: 'own time (compute, copies, idle gaps)', compute: 'compute', communication: 'exposed communication (waits, transfers)'};
  const ORDERS = {rank: 'rank', host: 'host', stage: 'stage', worst: 'worst first'};
  const heatMap = (attempt) => {
    const h = attempt.heat;
    const rows = h.rows.map(([label, host, peer, suspect, size], i) => ({label, host, peer, suspect, size, i}));
    const columns = h.first.length;
    if (!rows.length || !columns) return section('heat', 'Ranks by steps', note('There are no steps to show.'));
    const layers = {};
    for (const [name, layer] of Object.entries(h.layers)) {
      layers[name] = {ratio: new Int16Array(bytes(layer.ratio)), nanos: new Uint16Array(bytes(layer.nanos)), worst: new Uint16Array(bytes(layer.worst))};
    }
    const ratioOf = (code) => 2 ** (code / 2048);
    const nanosOf = (code) => code ? 2 ** ((code - 1) / 1024) : NaN;
    const score = rows.map((row) => {
      let sum = 0, seen = 0;
      for (let c = 0; c < columns; c++) {
        const code = layers.own.ratio[row.i * columns + c];
        if (code > NO_PEERS) { sum += Math.max(0, code); seen++; }
      }
      return seen ? sum / seen : -1;
    });
    let measure = top && /^(link|nvlink|fabric)-/.test(top.kind) ? 'communication' : 'own', absolute = false, order = 'rank', shown = rows, cursor = null, cell = 10, offset = 0;
    const canvas = el('canvas', {tabindex: 0, role: 'img', 'aria-label': 'Ranks by steps as colours; arrow keys move, keys a, m and o change the view'});
    const readout = el('p', {class: 'readout', 'aria-live': 'polite'}, 'Point at a cell, or use the arrow keys, to read its values.');
    const legend = el('div', {class: 'legend note'});
    const labelWidth = 132;
    const groupOf = (row) => order === 'stage' ? row.peer : order === 'worst' ? null : row.host;
    const arrange = () => {
      const by = {rank: () => 0, host: (a, b) => a.host.localeCompare(b.host, 'en', {numeric: true}), stage: (a, b) => a.peer - b.peer,
        worst: (a, b) => score[b.i] - score[a.i]}[order];
      shown = rows.slice().sort((a, b) => by(a, b) || a.i - b.i);
    };
    // The colours span what is there, at least 20 % and at most a factor of 2; beyond, the ends of the scale.
    const span = (layer) => {
      let most = 0;
      for (const code of layer.ratio) if (code > NO_PEERS) most = Math.max(most, Math.abs(code));
      return Math.min(2048, Math.max(2048 * Math.log2(1.2), most));
    };
    const range = (layer) => {
      let a = 65536, b = 0;
      for (const code of layer.nanos) if (code) { a = Math.min(a, code); b = Math.max(b, code); }
      return b ? [a, Math.max(b, a + 1)] : [0, 1];
    };
    const hatch = (context, cross) => {
      const tile = document.createElement('canvas');
      tile.width = tile.height = 8;
      const t = tile.getContext('2d');
      t.fillStyle = css('--hatch-bg');
      t.fillRect(0, 0, 8, 8);
      t.strokeStyle = css('--hatch');
      t.beginPath();
      for (const k of [-8, 0, 8]) { t.moveTo(k, 8); t.lineTo(k + 8, 0); if (cross) { t.moveTo(k, 0); t.lineTo(k + 8, 8); } }
      t.stroke();
      return context.createPattern(tile, 'repeat');
    };
    const paint = () => {
      const layer = layers[measure];
      const width = Math.max(320, canvas.parentElement ? canvas.parentElement.clientWidth : 1100);
      cell = rows.length <= 16 ? 22 : rows.length <= 32 ? 16 : rows.length <= 64 ? 11 : rows.length <= 128 ? 7 : 4;
      offset = 12;
      const height = offset + cell * rows.length + 22;
      const dpr = Math.min(2, window.devicePixelRatio || 1);
      canvas.width = width * dpr;
      canvas.height = height * dpr;
      const c = canvas.getContext('2d');
      c.scale(dpr, dpr);
      c.fillStyle = css('--panel');
      c.fillRect(0, 0, width, height);
      const cw = (width - labelWidth - 2) / columns;
      const left = (k) => labelWidth + Math.round(k * cw);
      const ratioColour = diverging(), valueColour = sequential(), missing = hatch(c, false), cut = hatch(c, true), most = span(layer), [lo, hi] = range(layer);
      const gap = cw > 5 ? 1 : 0, rowGap = cell > 5 ? 1 : 0;
      shown.forEach((row, r) => {
        for (let k = 0; k < columns; k++) {
          const code = layer.ratio[row.i * columns + k], value = layer.nanos[row.i * columns + k];
          if (code === MISSING) c.fillStyle = missing;
          else if (code === CUT) c.fillStyle = cut;
          else if (absolute) c.fillStyle = valueColour((value - lo) / (hi - lo));
          else if (code === NO_PEERS) c.fillStyle = css('--mid');
          else c.fillStyle = ratioColour(0.5 + 0.5 * code / most);
          c.fillRect(left(k), offset + r * cell, Math.max(1, left(k + 1) - left(k) - gap), cell - rowGap);
        }
      });
      c.font = (cell < 14 ? 10 : 11) + 'px system-ui, "DejaVu Sans", sans-serif';
      c.textBaseline = 'middle';
      const every = Math.ceil(10 / cell);
      const folded = h.ranksPerRow > 1;
      let group = null;
      const borders = new Set(rows.map(groupOf)).size;
      shown.forEach((row, r) => {
        if (row.suspect) {
          c.fillStyle = css('--suspect');
          c.fillRect(labelWidth - 6, offset + r * cell, 4, Math.max(2, cell - rowGap));
        }
        if (r % every === 0 || (row.suspect && every === 1)) {
          c.fillStyle = row.suspect ? css('--suspect') : css('--soft');
          let text = row.label + (row.host && !folded ? '  ' + row.host : '');
          while (text.length > 3 && c.measureText(text).width > labelWidth - 12) text = text.slice(0, -2) + '\u2026';
          c.fillText(text, 0, offset + r * cell + cell / 2);
        }
        const now = groupOf(row);
        if (now === null || now === '' || 3 * borders > rows.length) return;
        if (group !== null && group !== now) {
          c.fillStyle = css('--faint');
          c.fillRect(0, offset + r * cell - 1, width, 1);
        }
        group = now;
      });
      c.fillStyle = css('--event');
      c.strokeStyle = css('--event');
      c.lineWidth = 1;
      for (const [kind, first, last] of attempt.events) {
        for (let k = 0; k < columns; k++) {
          if (h.first[k] > last || h.last[k] < first) continue;
          const w = Math.max(2, left(k + 1) - left(k) - gap);
          if (kind === 'transient') c.strokeRect(left(k) + 0.5, 2.5, w - 1, 5);
          else c.fillRect(left(k), 2, w, 6);
        }
      }
      c.fillStyle = css('--soft');
      c.textAlign = 'center';
      const tick = Math.max(1, Math.ceil(columns / 14));
      for (let k = 0; k < columns; k += tick) c.fillText(h.first[k].toLocaleString('en'), (left(k) + left(k + 1)) / 2, height - 9);
      c.textAlign = 'left';
      c.fillText('step', 0, height - 9);
      if (cursor) {
        c.strokeStyle = css('--ink');
        c.lineWidth = 2;
        c.strokeRect(left(cursor[1]) - 1, offset + cursor[0] * cell - 1, left(cursor[1] + 1) - left(cursor[1]) + 2 - gap, cell + 2 - rowGap);
      }
      paintLegend(layer, most, lo, hi, missing);
    };
    const paintLegend = (layer, most, lo, hi) => {
      const bar = el('canvas', {width: 240, height: 14, 'aria-hidden': 'true'});
      const b = bar.getContext('2d');
      const colour = absolute ? sequential() : diverging();
      for (let i = 0; i < 240; i++) { b.fillStyle = colour(i / 239); b.fillRect(i, 0, 1, 14); }
      const swatch = (cross) => {
        const s = el('canvas', {width: 22, height: 14, 'aria-hidden': 'true'});
        const k = s.getContext('2d');
        k.fillStyle = hatch(k, cross);
        k.fillRect(0, 0, 22, 14);
        return s;
      };
      const has = (code) => layer.ratio.includes(code);
      const parts = absolute ? [el('span', {}, time(nanosOf(lo)) + ' ', bar, ' ' + time(nanosOf(hi)) + ' (logarithmic)')]
        : [el('span', {}, '\u2264 ' + factor(ratioOf(-most)) + ' ', bar, ' \u2265 ' + factor(ratioOf(most)) + ' the peers\u2019 median; the middle is 1.00x')];
      if (has(MISSING)) parts.push(el('span', {}, swatch(false), ' no data'));
      if (has(CUT)) parts.push(el('span', {}, swatch(true), ' record cut, not compared'));
      if (!absolute && has(NO_PEERS)) parts.push(el('span', {}, 'plain: nothing to compare with'));
      legend.replaceChildren(...parts);
    };
    const describe = ([r, k]) => {
      const row = shown[r], layer = layers[measure], at = row.i * columns + k;
      const code = layer.ratio[at], value = layer.nanos[at];
      let where = (row.size > 1 ? 'ranks ' : 'rank ') + row.label + (row.host ? ' on ' + row.host : '') + ', ' + stepText(h.first[k], h.last[k]);
      if (code === MISSING) return where + ': no data';
      if (code === CUT) return where + ': the record of this step is cut; totals are not compared';
      let text = code === NO_PEERS ? 'nothing to compare with' : factor(ratioOf(code)) + ' the peers\u2019 median';
      if (layer.worst.length && code > NO_PEERS) {
        const place = layer.worst[at], index = Math.floor(place / h.stepsPerColumn);
        text = 'at most ' + text + (row.size > 1 ? ' (the ' + (index + 1) + '. of these ranks)' : '');
      }
      const peers = attempt.peers[row.peer];
      return where + ': ' + text + '; ' + (layer.worst.length ? 'longest ' : '') + time(nanosOf(value)) + ' of ' + MEASURES[measure]
        + (peers ? '; peers: ' + peers : '') + (row.suspect ? '; accused' : '');
    };
    const select = (r, k) => {
      cursor = [Math.min(rows.length - 1, Math.max(0, r)), Math.min(columns - 1, Math.max(0, k))];
      readout.textContent = describe(cursor);
      paint();
    };
    canvas.addEventListener('mousemove', (e) => {
      const box = canvas.getBoundingClientRect();
      const k = Math.floor((e.clientX - box.left - labelWidth) / ((box.width - labelWidth - 2) / columns));
      const r = Math.floor((e.clientY - box.top - offset) / cell);
      if (k >= 0 && k < columns && r >= 0 && r < rows.length && !(cursor && cursor[0] === r && cursor[1] === k)) select(r, k);
    });
    const cycle = (object, value) => {
      const keys = Object.keys(object);
      return keys[(keys.indexOf(value) + 1) % keys.length];
    };
    const control = (label, options, get, set) => {
      const pick = el('select', {onchange: () => { set(pick.value); update(); }}, Object.entries(options).map(([value, text]) => el('option', {value}, text)));
      controls.push(() => { pick.value = get(); });
      return el('label', {}, label + ' ', pick);
    };
    const controls = [];
    const update = () => {
      arrange();
      controls.forEach((sync) => sync());
      paint();
      if (cursor) readout.textContent = describe(cursor);
    };
    const orders = {...ORDERS};
    if (new Set(rows.map((r) => r.host)).size < 2) delete orders.host;
    if (attempt.peers.length < 2) delete orders.stage;
    canvas.addEventListener('keydown', (e) => {
      const [r, k] = cursor || [0, 0];
      const to = {ArrowUp: [r - 1, k], ArrowDown: [r + 1, k], ArrowLeft: [r, k - 1], ArrowRight: [r, k + 1], Home: [r, 0], End: [r, columns - 1],
        PageUp: [r - 10, k], PageDown: [r + 10, k]}[e.key];
      if (to) { select(...(cursor ? to : [0, 0])); e.preventDefault(); return; }
      if (e.ctrlKey || e.metaKey || e.altKey) return;
      if (e.key === 'a') absolute = !absolute;
      else if (e.key === 'm') measure = cycle(MEASURES, measure);
      else if (e.key === 'o') order = cycle(orders, order);
      else return;
      update();
    });
    const bar = el('div', {class: 'bar controls'},
      control('Show', MEASURES, () => measure, (v) => { measure = v; }),
      control('as', {ratio: 'ratio to the peers\u2019 median', absolute: 'time'}, () => absolute ? 'absolute' : 'ratio', (v) => { absolute = v === 'absolute'; }),
      control('rows by', orders, () => order, (v) => { order = v; }));
    const fold = h.ranksPerRow > 1 || h.stepsPerColumn > 1
      ? 'Folded: a row is ' + (h.ranksPerRow > 1 ? 'up to ' + h.ranksPerRow + ' ranks' : 'one rank') + ', a column '
        + (h.stepsPerColumn > 1 ? 'up to ' + h.stepsPerColumn + ' steps' : 'one step') + '; each cell keeps the largest among them. ' : '';
    repaint.push(() => { if (canvas.isConnected) paint(); });
    attached.push(update);
    return section('heat', 'Ranks by steps', bar, legend, el('div', {class: 'heat'}, canvas), readout,
      el('p', {class: 'note keys'}, 'With the map in focus: ', el('kbd', {}, 'arrows'), ' move, ', el('kbd', {}, 'a'), ' ratio or time, ', el('kbd', {}, 'm'),
        ' measure, ', el('kbd', {}, 'o'), ' order of rows.'),
      note('Peers are the ranks that do the same work, in the same step. A late rank\u2019s communication is short, that of its victims long. ', fold,
        h.ranksLeftOut ? h.ranksLeftOut.toLocaleString('en') + ' ranks without a trace have no row. ' : '',
        rows.some((r) => r.suspect) ? 'Marked rows: accused. ' : '', attempt.events.length ? 'Bars on top: as below the step times.' : ''));
  };

  // ---- who waited for whom

  const ledger = (attempt) => {
    const w = attempt.waits;
    if (!w.rows.length) {
      return section('waits', 'Who made whom wait', note('No wait was found: no collectives could be matched across ranks, or all ranks came together.'));
    }
    const single = w.rows.filter((r) => r.late.startsWith('rank '));
    const most = (single.length ? single : w.rows).reduce((a, r) => Math.max(a, ...r.nanos), 1);
    const small = most < 1e9;
    const unit = small ? 1e6 : 1e9;
    const decimals = Math.min(3, Math.max(0, 3 - Math.floor(Math.log10(most / unit) + 1e-9)));
    const amount = (nanos) => nanos > 0 && nanos / unit < 0.5 * 10 ** -decimals ? '< ' + (10 ** -decimals)
      : (nanos / unit).toLocaleString('en', {minimumFractionDigits: decimals, maximumFractionDigits: decimals});
    const ranksOnly = w.columns.every((c) => c.startsWith('rank '));
    const sums = w.columns.map((_, c) => w.rows.reduce((a, r) => a + r.nanos[c], 0));
    const cells = [];
    const body = w.rows.map((row) => el('tr', {}, el('th', {class: 'rank'}, row.late), row.nanos.map((nanos) => {
      const td = el('td', {class: 'n'}, nanos ? amount(nanos) : '\u2013');
      cells.push([td, Math.min(1, nanos / most)]);
      return td;
    }), el('td', {class: 'n'}, amount(row.nanos.reduce((a, b) => a + b, 0)))));
    const paint = () => {
      const colour = sequential();
      cells.forEach(([td, share]) => { td.style.background = share ? colour((dark() ? 0.33 : 0.45) * share) : ''; });
    };
    repaint.push(paint);
    paint();
    return section('waits', 'Who made whom wait',
      el('p', {}, 'Ranks spent ' + three(w.total / 1e9) + ' ' + data.worker + '-seconds waiting in collectives, with no compute to cover it. Rows: who came last; columns: who waited. Cells are in ' + data.worker + (small ? '-milliseconds' : '-seconds') + '; they add up to that sum, but for rounding.'),
      el('div', {class: 'scroll'}, el('table', {class: 'tight'}, el('thead', {}, el('tr', {}, el('th', {}, ranksOnly ? 'late \\ waiting rank' : 'late \\ waiting'), w.columns.map((c) => el('th', {class: 'n'}, ranksOnly ? c.slice(5) : c)), el('th', {class: 'n'}, 'sum'))),
        el('tbody', {}, body, el('tr', {class: 'sum'}, el('th', {}, 'sum'), sums.map((s) => el('td', {class: 'n'}, amount(s))), el('td', {class: 'n'}, amount(w.total)))))),
      note('The last to come may itself have waited elsewhere, in another group. Where several came last together, within 20 us, no single rank is named. Waits are not losses: some waiting is in every job, in pipelines it is bubbles, and a wait here can hide one elsewhere. What it costs is in the table of lost time. Only collectives in which all wait for the last are counted; sends, receives and uneven exchanges are not.'));
  };

  // ---- kernels

  const inWords = ([, , , , shift, moved, mode]) => {
    if (Math.abs(shift) < 0.01) return 'as its peers';
    const size = percent(Math.abs(shift)) + (shift > 0 ? ' longer' : ' shorter');
    if (Math.abs(mode) < Math.min(0.03, Math.abs(shift) / 3)) return size + ': modes where the peers have them, in another mix';
    return size + (moved >= 0.9 ? ': all of its distribution moved' : ': ' + percent(moved) + ' of its distribution moved');
  };
  const modePlot = (k) => {
    const [low, mid, high] = k.band.map(floats);
    const curves = k.curves.map(([rank, share]) => [rank, floats(share)]);
    const W = 360, H = 190, left = 44, right = 10, topEdge = 10, bottom = 34, n = mid.length;
    const most = [...high, ...curves.flatMap(([, share]) => [...share])].reduce((a, b) => Math.max(a, b), 1e-6) * 1.05;
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
  const kernels = (attempt) => {
    const of = data.incidents.concat(data.observations).map((incident) => [incident, attempt.kernels.filter((k) => k.incident === incident.id)])
      .filter(([, list]) => list.length);
    if (!of.length) return section('kernels', 'Kernels', note('No finding is about kernels that peers also run, so there is nothing to compare here.'));
    return section('kernels', 'Kernels', ...of.flatMap(([incident, list]) => {
      const ranks = list.reduce((a, k) => k.ranks.length > a.length ? k.ranks : a, []).map((r) => [r[0], r[1]]);
      const cells = [];
      const head = el('tr', {}, el('th', {}, 'kernel'), ranks.map(([rank, suspect]) => el('th', {class: 'n' + (suspect ? ' suspect' : '')}, String(rank))));
      const body = list.map((k) => el('tr', {}, el('td', {class: 'kernel'}, k.name), ranks.map(([rank]) => {
        const member = k.ranks.find((r) => r[0] === rank);
        const td = el('td', {class: 'n', title: member ? 'rank ' + rank + ': ' + inWords(member) + '; ' + member[2].toLocaleString('en') + ' launches, mean ' + time(member[3]) : 'not run'},
          member ? (100 * member[4]).toFixed(Math.abs(member[4]) < 0.1 ? 1 : 0).replace(/^-(0\.0)$/, '$1').replace('-', '\u2212') : '\u2013');
        cells.push([td, member ? member[4] : null]);
        return td;
      })));
      const most = cells.reduce((a, [, v]) => Math.max(a, Math.abs(v || 0)), 0.1);
      const paint = () => {
        const colour = diverging();
        cells.forEach(([td, v]) => { td.style.background = v === null ? '' : colour(0.5 + 0.32 * v / most); });
      };
      repaint.push(paint);
      paint();
      const named = list[0].concerned;
      return [el('h3', {}, incident.who + ': ' + incident.kind), note(named ? 'Kernels that the finding names, in its order, at most three. '
        : 'The finding names no kernel; these cost the suspect most. ', 'Signed W1 distance to the peers\u2019 centre, in % of its mean: above 0 is longer. Suspects first, in colour. ',
      list[0].steps + ' of ' + stepText(list[0].first, list[0].last) + ' were looked at.'),
      el('div', {class: 'scroll'}, el('table', {class: 'tight'}, el('thead', {}, head), el('tbody', {}, body))),
      el('div', {class: 'plots'}, list.map(modePlot))];
    }), note('Band: the middle four fifths of the peers; of fewer than five, all of them. From summaries, each within its stated bound.'));
  };

  const showAttempt = () => {
    repaint.length = attached.length = 0;
    const a = attempts[current];
    measured.replaceChildren(stepChart(a), heatMap(a), ledger(a), kernels(a));
    attached.forEach((draw) => draw());
  };
  if (attempts.length) {
    if (attempts.length > 1) {
      const buttons = attempts.map((a, i) => el('button', {type: 'button', 'aria-pressed': i === current, onclick: () => {
        current = i;
        buttons.forEach((b, k) => b.setAttribute('aria-pressed', k === i));
        showAttempt();
      }}, 'Attempt ' + a.attempt));
      page.append(el('div', {class: 'bar controls', id: 'attempts'}, 'Measured in', buttons, data.attemptsLeftOut ? el('span', {class: 'note'}, data.attemptsLeftOut + ' older attempts are not shown') : null));
    }
    page.append(measured);
    for (const [id, label] of [['steps', 'Step times'], ['heat', 'Ranks by steps'], ['waits', 'Waits'], ['kernels', 'Kernels']]) links.push(el('a', {href: '#' + id}, label));
    showAttempt();
  } else {
    page.append(section('steps', 'What was measured', note('Nothing: there were no steps to measure.')));
  }

  // ---- where the lost time went

  const brief = (incident, number) => el('details', {}, el('summary', {}, el('span', {class: 'kind'}, (number ? number + '. ' : '') + incident.kind), ', ' + incident.who
    + (incident.first >= 0 ? '; ' + stepText(incident.first, incident.last) : '') + (incident.costRatio > 0 ? '; ' + percent(incident.costRatio) : '')),
  el('p', {}, incident.summary), fields(incident.fields), ...proof(incident));
  const all = data.incidents.map((i, k) => [i, k + 1]).concat(data.observations.map((i) => [i, 0]));
  if (data.analysed && (all.length || data.unattributed > 0)) {
    const priced = all.filter(([i]) => i.costRatio > 0);
    const row = ([i, number]) => el('tr', {}, el('td', {}, (number ? number + '. ' : 'observation: ') + i.kind + ', ' + i.who),
      el('td', {class: 'n'}, percent(i.costRatio)), el('td', {class: 'n'}, three(i.gpuSeconds)));
    const acted = priced.filter(([, number]) => number), seen = priced.filter(([, number]) => !number);
    const sum = (list, key) => list.reduce((a, [i]) => a + i[key], 0);
    const rows = acted.map(row);
    rows.push(el('tr', {class: 'sum'}, el('td', {}, data.incidentsLeftOut ? 'incidents shown, together' : 'incidents together'),
      el('td', {class: 'n'}, percent(sum(acted, 'costRatio'))), el('td', {class: 'n'}, three(sum(acted, 'gpuSeconds')))));
    rows.push(...seen.map(row));
    rows.push(el('tr', {}, el('td', {}, 'lost without a cause that the data could show'), el('td', {class: 'n'}, percent(data.unattributed || 0)), el('td', {class: 'n'}, '')));
    add(section('losses', 'Where the lost time went', el('div', {class: 'scroll'}, el('table', {}, el('thead', {}, el('tr', {}, el('th', {}, 'what'),
      el('th', {class: 'n'}, 'of the job\u2019s time'), el('th', {class: 'n'}, data.worker + '-seconds'))), el('tbody', {}, rows))),
      note('No step time is claimed twice by incidents. Observations need no action; a lasting one, such as uneven stages, is priced against an even job.')), 'Losses');
  }
  if (data.incidents.length > 1) {
    add(section('incidents', 'All incidents', data.incidents.map((i, k) => brief(i, k + 1)),
      data.incidentsLeftOut ? note(data.incidentsLeftOut + ' more; --format json has them all.') : null), 'Incidents');
  }
  if (data.observations.length) {
    add(section('observations', 'Observations: explain slowness, are no incidents', data.observations.map((i) => brief(i, 0)),
      data.observationsLeftOut ? note(data.observationsLeftOut + ' more; --format json has them all.') : null), 'Observations');
  }
  if (data.problems.length) add(section('quality', 'Data quality', list(data.problems)), 'Data');
  const checks = data.looked.concat(data.checked);
  if ((top || !data.analysed) && checks.length) add(section('checked', 'What was checked, and what could not be', list(checks)), 'Checks');
  if (data.explain.length) add(section('explain', 'Rules and thresholds', list(data.explain)), 'Rules');
  page.append(el('p', {class: 'note'}, 'This page is one file: it loads nothing and sends nothing. Its size is bounded: at most 256 rows by 128 columns of cells, 800 steps in the chart, 10 late ranks, 32 ranks a kernel, 4 attempts; '
    + 'what is more is folded, and a fold keeps its largest value. argus diagnose --format json is the form for programs.'));
  nav.append(...links);

  // ---- size and paper

  let width = innerWidth;
  addEventListener('resize', () => { if (innerWidth !== width) { width = innerWidth; repaint.forEach((paint) => paint()); } });
  let before = null;
  addEventListener('beforeprint', () => {
    before = root.getAttribute('data-theme');
    document.querySelectorAll('details').forEach((d) => { d.open = true; });
    setTheme('light');
  });
  addEventListener('afterprint', () => { if (before) setTheme(before); });
})();
