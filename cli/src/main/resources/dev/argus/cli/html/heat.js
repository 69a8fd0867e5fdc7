// ---- heat map

const MISSING = -32768, CUT = -32767, NO_PEERS = -32766;
const MEASURES = {own: 'own time (compute, copies, idle gaps)', compute: 'compute', communication: 'exposed communication (waits, transfers)'};
const BASES = {ratio: 'ratio to the peers\u2019 median', absolute: 'time', past: 'ratio to its own faster steps'};
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
  // What slows all peers alike, a link or the whole job, is grey against them: it shows against what the rank itself needed before.
  const kind = data.incidents.find((i) => i.attempt === attempt.attempt)?.kind ?? '';
  const link = /^(link|nvlink|fabric)-/.test(kind), alike = link || /^(global-slowdown|regression)$/.test(kind);
  let measure = link ? 'communication' : 'own', basis = alike ? 'past' : 'ratio', order = 'rank', shown = rows, cursor = null, cell = 10, offset = 0, labelWidth = 132;
  const canvas = el('canvas', {tabindex: 0, role: 'img', 'aria-label': 'Ranks by steps as colours; arrow keys move, keys a, m and o change the view'});
  const readout = el('p', {class: 'readout', 'aria-live': 'polite'}, 'Point at a cell, or use the arrow keys, to read its values.');
  const legend = el('div', {class: 'legend note'});
  const groupOf = (row) => order === 'stage' ? row.peer : order === 'worst' ? null : row.host;
  const arrange = () => {
    const by = {rank: () => 0, host: (a, b) => a.host.localeCompare(b.host, 'en', {numeric: true}), stage: (a, b) => a.peer - b.peer,
      worst: (a, b) => score[b.i] - score[a.i]}[order];
    shown = rows.slice().sort((a, b) => by(a, b) || a.i - b.i);
  };
  // A row against its own faster steps: the lower quartile of its times. Codes of times are logarithms, 1024 an octave; those of ratios 2048.
  const pasts = {};
  const past = (name) => pasts[name] || (pasts[name] = rows.map((row) => {
    const own = Array.from(layers[name].nanos.subarray(row.i * columns, (row.i + 1) * columns)).filter((code) => code > 1).sort((a, b) => a - b);
    return own.length > 1 ? own[own.length >> 2] : 0;
  }));
  const codeAt = (layer, at) => {
    const code = layer.ratio[at];
    if (basis !== 'past' || code === MISSING || code === CUT) return code;
    const base = past(measure)[Math.floor(at / columns)];
    return base && layer.nanos[at] ? 2 * (layer.nanos[at] - base) : NO_PEERS;
  };
  // The colours span what is there, at least 20 % and at most a factor of 2; beyond, the ends of the scale.
  const span = (layer) => {
    let most = 0;
    for (let at = 0; at < layer.ratio.length; at++) { const code = codeAt(layer, at); if (code > NO_PEERS) most = Math.max(most, Math.abs(code)); }
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
    const width = Math.max(240, canvas.parentElement ? canvas.parentElement.clientWidth : 1100);
    labelWidth = width < 600 ? 60 : 132;
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
        const code = codeAt(layer, row.i * columns + k), value = layer.nanos[row.i * columns + k];
        if (code === MISSING) c.fillStyle = missing;
        else if (code === CUT) c.fillStyle = cut;
        else if (basis === 'absolute') c.fillStyle = valueColour((value - lo) / (hi - lo));
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
    const tick = Math.max(1, Math.ceil(columns / ((width - labelWidth) / 70)));
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
    const colour = basis === 'absolute' ? sequential() : diverging();
    for (let i = 0; i < 240; i++) { b.fillStyle = colour(i / 239); b.fillRect(i, 0, 1, 14); }
    const swatch = (cross) => {
      const s = el('canvas', {width: 22, height: 14, 'aria-hidden': 'true'});
      const k = s.getContext('2d');
      k.fillStyle = hatch(k, cross);
      k.fillRect(0, 0, 22, 14);
      return s;
    };
    const has = (code) => layer.ratio.includes(code);
    const against = basis === 'past' ? ' the rank\u2019s own faster steps' : ' the peers\u2019 median';
    const parts = basis === 'absolute' ? [el('span', {}, time(nanosOf(lo)) + ' ', bar, ' ' + time(nanosOf(hi)) + ' (logarithmic)')]
      : [el('span', {}, '\u2264 ' + factor(ratioOf(-most)) + ' ', bar, ' \u2265 ' + factor(ratioOf(most)) + against + '; the middle is 1.00x')];
    if (has(MISSING)) parts.push(el('span', {}, swatch(false), ' no data'));
    if (has(CUT)) parts.push(el('span', {}, swatch(true), ' record cut, not compared'));
    if (basis === 'ratio' && has(NO_PEERS)) parts.push(el('span', {}, 'plain: nothing to compare with'));
    legend.replaceChildren(...parts);
  };
  const describe = ([r, k]) => {
    const row = shown[r], layer = layers[measure], at = row.i * columns + k;
    const code = codeAt(layer, at), value = layer.nanos[at];
    let where = (row.size > 1 ? 'ranks ' : 'rank ') + row.label + (row.host ? ' on ' + row.host : '') + ', ' + stepText(h.first[k], h.last[k]);
    if (code === MISSING) return where + ': no data';
    if (code === CUT) return where + ': the record of this step is cut; totals are not compared';
    let text = code === NO_PEERS ? 'nothing to compare with' : factor(ratioOf(code)) + (basis === 'past' ? ' its own faster steps' : ' the peers\u2019 median');
    if (layer.worst.length && code > NO_PEERS && basis !== 'past') {
      const place = layer.worst[at], index = Math.floor(place / h.stepPlaces);
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
    if (e.key === 'a') basis = cycle(BASES, basis);
    else if (e.key === 'm') measure = cycle(MEASURES, measure);
    else if (e.key === 'o') order = cycle(orders, order);
    else return;
    update();
  });
  const bar = el('div', {class: 'bar controls'},
    control('Show', MEASURES, () => measure, (v) => { measure = v; }),
    control('as', BASES, () => basis, (v) => { basis = v; }),
    control('rows by', orders, () => order, (v) => { order = v; }));
  const fold = h.ranksPerRow > 1 || h.stepsPerColumn > 1
    ? 'Folded: a row is ' + (h.ranksPerRow > 1 ? 'up to ' + h.ranksPerRow + ' ranks' : 'one rank') + ', a column '
      + (h.stepsPerColumn > 1 ? 'up to ' + h.stepsPerColumn + ' steps' : 'one step') + '; each cell keeps the largest among them. ' : '';
  repaint.push(() => { if (canvas.isConnected) paint(); });
  attached.push(update);
  return section('heat', 'Ranks by steps', bar, legend, el('div', {class: 'heat'}, canvas), readout,
    el('p', {class: 'note keys'}, 'With the map in focus: ', el('kbd', {}, 'arrows'), ' move, ', el('kbd', {}, 'a'), ' ratio, time or own past, ', el('kbd', {}, 'm'),
      ' measure, ', el('kbd', {}, 'o'), ' order of rows.'),
    note('Peers are the ranks that do the same work, in the same step. A late rank\u2019s communication is short, that of its victims long. ', fold,
      h.ranksLeftOut ? h.ranksLeftOut.toLocaleString('en') + ' ranks without a trace have no row. ' : '',
      rows.some((r) => r.suspect) ? 'Marked rows: accused. ' : '', attempt.events.length ? 'Bars on top: as below the step times.' : ''));
};
