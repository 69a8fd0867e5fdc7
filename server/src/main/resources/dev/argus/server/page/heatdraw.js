// Paints a part of a heat map. Work a frame is bounded by the size of the picture: about two values are looked at for each pixel of height and step shown.
import {MISSING} from './heatdata.js';

const rgba = (text) => {
  const [r, g, b] = text.startsWith('#') ? [1, 3, 5].map((i) => parseInt(text.slice(i, i + 2), 16)) : text.match(/\d+/g).map(Number);
  return (255 << 24 | b << 16 | g << 8 | r) >>> 0;
};

const FAR = 1023 * 0.75, MOST_FAR = 2000;

/** 1,024 colours of a scale over [0, 1], as pixels. */
export const table = (scale) => Uint32Array.from({length: 1024}, (_, i) => rgba(scale(i / 1023)));
export const pixel = rgba;

/**
 * Paints. A cell that is far off and alone in its surroundings is drawn three pixels wide, for one would not be seen.
 *
 * @param image where to, as large as the picture
 * @param pyramid folded cells
 * @param view first and last row and column shown, as fractions: {top, bottom, left, right}
 * @param look {colours, low, high: values at the ends of the scale, hatch, paper, ground}
 */
export const paint = (image, pyramid, view, look) => {
  const out = new Uint32Array(image.data.buffer), W = image.width, H = image.height, columns = pyramid.columns;
  const perPixel = (view.bottom - view.top) / H, perColumn = (view.right - view.left) / W;
  let k = 0;
  while (k + 1 < pyramid.levels.length && perPixel >= 2 << k) k++;
  const {rows, cells} = pyramid.levels[k], fold = 1 << k;
  // Columns of each pixel, the same for all rows.
  const from = new Int32Array(W), to = new Int32Array(W);
  for (let x = 0; x < W; x++) {
    from[x] = Math.floor(view.left + x * perColumn);
    to[x] = Math.max(from[x] + 1, Math.floor(view.left + (x + 1) * perColumn));
    if (from[x] < 0 || from[x] >= columns) { from[x] = to[x] = -1; } else to[x] = Math.min(columns, to[x]);
  }
  const first = Math.max(0, Math.floor(view.left)), last = Math.min(columns, Math.ceil(view.right) + 1);
  const line = new Int16Array(columns);
  const scale = 1023 / (look.high - look.low || 1), gapX = perColumn < 1 / 5, gapY = perPixel < 1 / 5;
  // Where the far ones are; of more than these they are seen anyway.
  const far = [], small = perPixel > 1 / 3 || perColumn > 1 / 3;
  let before = -2, beforeY = 0;
  for (let y = 0; y < H; y++) {
    const r0 = Math.floor((view.top + y * perPixel) / fold), r1 = Math.max(r0 + 1, Math.floor((view.top + (y + 1) * perPixel) / fold));
    const row = y * W;
    if (r0 < 0 || r0 >= rows) { out.fill(look.ground, row, row + W); before = -2; continue; }
    const edge = gapY && Math.floor((view.top + (y + 1) * perPixel) / fold) !== r0;
    if (edge) { out.fill(look.ground, row, row + W); continue; }
    const hatched = r0 === before && r1 === r0 + 1;
    if (!hatched) {
      const end = Math.min(rows, r1);
      line.set(cells.subarray(r0 * columns + first, r0 * columns + last), first);
      for (let r = r0 + 1; r < end; r++) for (let c = first, at = r * columns + first; c < last; c++, at++) if (cells[at] > line[c]) line[c] = cells[at];
      before = r1 === r0 + 1 ? r0 : -2;
    } else if (beforeY > 0 && !look.missing) {
      out.copyWithin(row, beforeY, beforeY + W);
      continue;
    }
    beforeY = row;
    for (let x = 0; x < W; x++) {
      const a = from[x];
      if (a < 0 || (gapX && Math.floor(view.left + (x + 1) * perColumn) !== a)) { out[row + x] = look.ground; continue; }
      let v = line[a];
      for (let c = a + 1; c < to[x]; c++) if (line[c] > v) v = line[c];
      if (v === MISSING) out[row + x] = (x + y & 7) === 0 ? look.hatch : look.paper;
      else {
        const i = (v - look.low) * scale;
        out[row + x] = look.colours[i <= 0 ? 0 : i >= 1023 ? 1023 : i | 0];
        if (look.far && i > FAR && small && far.length < MOST_FAR) far.push(row + x);
      }
    }
  }
  if (far.length >= MOST_FAR) return;
  const hot = new Set(far);
  for (const at of far) {
    const x = at % W, y = (at - x) / W;
    for (let dy = -1; dy <= 1; dy++) for (let dx = -1; dx <= 1; dx++) {
      if (x + dx < 0 || x + dx >= W || y + dy < 0 || y + dy >= H) continue;
      const to = at + dy * W + dx;
      if (!hot.has(to)) out[to] = out[at];
    }
  }
};
