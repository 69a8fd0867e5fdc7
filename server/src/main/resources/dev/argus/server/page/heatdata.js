// Ranks by steps: reads the compact map, holds every cell against its peers, and folds so that the worst stays.

/** A cell that nothing was reported of. */
export const MISSING = -32768;
const NO_PEERS_LEAST = 2;

/** Reads the bytes that the server sends (docs/design/0014-interface.md); throws where they are cut or of another version. */
export const decode = (buffer) => {
  const bytes = new Uint8Array(buffer);
  let at = 0;
  const next = () => {
    if (at >= bytes.length) throw new RangeError('the heat map is cut after ' + bytes.length + ' bytes');
    return bytes[at++];
  };
  const varint = () => {
    let value = 0, factor = 1;
    for (let k = 0; k < 10; k++) {
      const b = next();
      value += (b & 127) * factor;
      if (b < 128) return value;
      factor *= 128;
    }
    throw new RangeError('the heat map has a number that never ends');
  };
  const signed = () => { const v = varint(); return v % 2 ? -(v + 1) / 2 : v / 2; };
  if (String.fromCharCode(next(), next(), next(), next()) !== 'ARGH') throw new RangeError('these bytes are no heat map');
  const version = next();
  if (version !== 1) throw new RangeError('the heat map is of version ' + version + ', expected 1');
  next();
  const attempt = signed();
  const list = (make) => {
    const n = varint();
    if (n > bytes.length - at) throw new RangeError('the heat map is cut after ' + bytes.length + ' bytes');
    const all = make(n);
    let before = 0;
    for (let i = 0; i < n; i++) all[i] = before += signed();
    return all;
  };
  const ranks = list((n) => new Int32Array(n)), steps = list((n) => new Float64Array(n));
  const cells = ranks.length * steps.length;
  if (bytes.length - at !== 2 * cells) throw new RangeError('the heat map has ' + (bytes.length - at) + ' bytes of cells, expected ' + 2 * cells);
  // Little-endian; every machine with a browser is.
  const codes = at % 2 === 0 ? new Uint16Array(buffer, at, cells) : new Uint16Array(buffer.slice(at));
  return {attempt, ranks, steps, codes};
};

/** A code as nanoseconds: 1,024 an octave from 1 ns on. */
export const nanosOf = (code) => code ? 2 ** ((code - 1) / 1024) : NaN;
/** A difference of codes as a ratio. */
export const ratioOf = (difference) => 2 ** (difference / 1024);

// The k-th smallest of the first n; the list is put in another order. Expected O(n).
const select = (list, n, k) => {
  let low = 0, high = n - 1;
  while (low < high) {
    const pivot = list[(low + high) >> 1];
    let i = low, j = high;
    while (i <= j) {
      while (list[i] < pivot) i++;
      while (list[j] > pivot) j--;
      if (i <= j) { const t = list[i]; list[i++] = list[j]; list[j--] = t; }
    }
    if (k <= j) high = j; else if (k >= i) low = i; else return list[k];
  }
  return list[k];
};

const pause = () => new Promise((go) => { const c = new MessageChannel(); c.port1.onmessage = go; c.port2.postMessage(0); });
const SLICE_MILLIS = 12;

/**
 * The median of the peers in each step, 0 where there are too few of them: [set][column]. Of an even number the lower of the two in the middle: the slow one of a pair is
 * not its own measure. In slices, so that the page goes on meanwhile. Blocks of columns are
 * turned first, for a step lies across all rows.
 */
export const medians = async (map, peersOf, signal) => {
  const rows = map.ranks.length, columns = map.steps.length;
  const set = Int32Array.from(map.ranks, (r) => Math.max(0, peersOf(r) + 1));
  const sets = set.reduce((a, b) => Math.max(a, b), 0) + 1;
  const out = Array.from({length: sets}, () => new Uint16Array(columns));
  const order = Array.from(set.keys()).sort((a, b) => set[a] - set[b]);
  const begins = new Int32Array(sets + 1);
  for (const s of set) begins[s + 1]++;
  for (let s = 0; s < sets; s++) begins[s + 1] += begins[s];
  const WIDE = 32, block = new Uint16Array(WIDE * rows), one = new Uint16Array(rows);
  let begun = performance.now();
  for (let c0 = 0; c0 < columns; c0 += WIDE) {
    const wide = Math.min(WIDE, columns - c0);
    for (let i = 0; i < rows; i++) {
      const from = order[i] * columns + c0;
      for (let c = 0; c < wide; c++) block[c * rows + i] = map.codes[from + c];
    }
    for (let c = 0; c < wide; c++) {
      for (let s = 0; s < sets; s++) {
        let n = 0;
        for (let i = begins[s]; i < begins[s + 1]; i++) { const code = block[c * rows + i]; if (code) one[n++] = code; }
        if (n >= NO_PEERS_LEAST) out[s][c0 + c] = select(one, n, (n - 1) >> 1);
      }
    }
    if (performance.now() - begun > SLICE_MILLIS) {
      await pause();
      signal?.throwIfAborted();
      begun = performance.now();
    }
  }
  return {set, of: out};
};

/** What each row itself needs in its faster steps: the lower quartile of its times. */
export const pasts = (map) => {
  const columns = map.steps.length, one = new Uint16Array(columns);
  return {row: Uint16Array.from(map.ranks, (_, r) => {
    let n = 0;
    for (let c = 0, at = r * columns; c < columns; c++, at++) if (map.codes[at] > 1) one[n++] = map.codes[at];
    return n > 1 ? select(one, n, n >> 2) : 0;
  })};
};

/**
 * Values of cells in the order of rows, and folded: level k has the largest of 2^k rows. Ratios are differences of codes to the peers' median; times are codes less 32,768.
 * Footprint: 4 bytes a cell in all.
 */
export const pyramid = async (map, order, middle, signal) => {
  const rows = order.length, columns = map.steps.length;
  const base = new Int16Array(rows * columns);
  let begun = performance.now(), most = 0, least = 32767, largest = -32768;
  for (let r = 0; r < rows; r++) {
    const from = order[r] * columns, medianOf = middle?.of ? middle.of[middle.set[order[r]]] : null, past = middle?.row ? middle.row[order[r]] : 0, to = r * columns;
    for (let c = 0; c < columns; c++) {
      const code = map.codes[from + c];
      let v = MISSING;
      if (code) {
        const held = medianOf ? medianOf[c] : past;
        v = middle ? (held ? Math.max(-8192, Math.min(8192, code - held)) : 0) : code - 32768;
        if (v > largest) largest = v;
        if (v < least) least = v;
      }
      base[to + c] = v;
    }
    if ((r & 255) === 255 && performance.now() - begun > SLICE_MILLIS) {
      await pause();
      signal?.throwIfAborted();
      begun = performance.now();
    }
  }
  most = Math.max(Math.abs(least), Math.abs(largest));
  const levels = [{rows, cells: base}];
  while (levels.at(-1).rows > 64) {
    const below = levels.at(-1), n = (below.rows + 1) >> 1, cells = new Int16Array(n * columns);
    for (let r = 0; r < n; r++) {
      const a = 2 * r * columns, b = 2 * r + 1 < below.rows ? a + columns : a, to = r * columns;
      for (let c = 0; c < columns; c++) { const x = below.cells[a + c], y = below.cells[b + c]; cells[to + c] = x > y ? x : y; }
    }
    levels.push({rows: n, cells});
    if (performance.now() - begun > SLICE_MILLIS) {
      await pause();
      signal?.throwIfAborted();
      begun = performance.now();
    }
  }
  return {levels, rows, columns, least: largest < least ? 0 : least, largest: largest < least ? 0 : largest, most};
};

/** How bad each row is: the mean of what it was slower than its peers. */
export const badness = (map, middle) => {
  const columns = map.steps.length;
  return Float64Array.from(map.ranks, (_, r) => {
    const of = middle.of[middle.set[r]];
    let sum = 0, seen = 0;
    for (let c = 0, at = r * columns; c < columns; c++, at++) if (map.codes[at] && of[c]) { seen++; if (map.codes[at] > of[c]) sum += map.codes[at] - of[c]; }
    return seen ? sum / seen : -1;
  });
};
