// What stands around and over the cells of a map: names of rows, steps, marks of the accused, the cell that is read.
import {css} from './look.js';
import {round, safe} from './words.js';
import {placeOf} from './heatstart.js';

/** Pixels above and below the cells. */
export const TOP = 10, BOTTOM = 22;

/**
 * Draws them anew.
 *
 * @param c where to: as wide as the box, TOP and BOTTOM higher than the cells
 * @param of {width, height, labels, dpr, W: sizes; view; steps; count: of rows; rankAt: row to rank; hostOf; accused: ranks; runs: of accused rows, [from, to); found: of rows that were looked for; groups: rows that begin one;
 *   marks: [first column, last, colour]; cursor: [row, column] or null; box: what is drawn with the mouse, or null}
 */
export const drawLabels = (c, {width, height, labels, dpr, W, view, steps, count, rankAt, hostOf, accused, runs, found, groups, marks, cursor, box}) => {
  const yOf = (row) => TOP + (row - view.top) / (view.bottom - view.top) * height;
  const xOf = (column) => labels + (column - view.left) / (view.right - view.left) * W;
  c.setTransform(dpr, 0, 0, dpr, 0, 0);
  c.clearRect(0, 0, width, height + TOP + BOTTOM);
  c.font = '11px system-ui, "DejaVu Sans", sans-serif';
  c.textBaseline = 'middle';
  const ink = css('--soft'), bad = css('--suspect'), cell = height / (view.bottom - view.top), every = Math.max(1, Math.ceil(13 / cell));
  const first = Math.max(0, Math.floor(view.top)), last = Math.min(count, Math.ceil(view.bottom));
  for (let r = Math.ceil(first / every) * every; r < last; r += every) {
    const rank = rankAt(r), y = yOf(r + 0.5);
    if (y < TOP || y > TOP + height) continue;
    c.fillStyle = accused.has(rank) ? bad : ink;
    let text = (labels > 100 ? 'rank ' : '') + rank + (labels > 100 && hostOf(rank) ? '  ' + safe(hostOf(rank), 40) : '');
    while (text.length > 4 && c.measureText(text).width > labels - 14) text = text.slice(0, -2) + '\u2026';
    c.fillText(text, 0, y);
  }
  c.fillStyle = bad;
  for (const [from, to] of runs) {
    if (to <= view.top || from >= view.bottom) continue;
    const y0 = Math.max(TOP, yOf(from)), y1 = Math.min(TOP + height, yOf(to));
    c.fillRect(labels - 7, y0, 5, Math.max(3, y1 - y0));
    // Between lines, unless these would be all that is seen.
    if (runs.length > 24 || count === accused.size) continue;
    if (from > view.top) c.fillRect(labels - 7, y0 - 1, W + 7, 1);
    if (to < view.bottom) c.fillRect(labels - 7, Math.max(y0 + 2, y1 - 1), W + 7, 1);
  }
  // What was looked for: a sign at its rows, and lines around them where it is few of many.
  c.fillStyle = css('--accent');
  for (const [from, to] of found) {
    if (to <= view.top || from >= view.bottom) continue;
    const y0 = Math.max(TOP, yOf(from)), y1 = Math.min(TOP + height, yOf(to)), middle = (y0 + y1) / 2;
    c.fillRect(labels - 12, y0, 4, Math.max(3, y1 - y0));
    c.beginPath();
    c.moveTo(labels - 1, middle); c.lineTo(labels - 8, middle - 5); c.lineTo(labels - 8, middle + 5);
    c.fill();
    if (found.length > 24) continue;
    if (from > view.top) c.fillRect(labels - 7, y0 - 1, W + 7, 2);
    if (to < view.bottom) c.fillRect(labels - 7, y1 - 1, W + 7, 2);
  }
  c.fillStyle = css('--faint');
  if (groups.length && height / groups.length * count / (view.bottom - view.top) > 6) for (const g of groups) if (g > first && g < last) c.fillRect(labels - 10, Math.round(yOf(g)), W + 10, 1);
  const columns = steps.length, wide = W / (view.right - view.left), from = Math.max(0, Math.floor(view.left)), to = Math.min(columns, Math.ceil(view.right)) - 1;
  c.fillStyle = ink;
  c.textAlign = 'center';
  for (const step of to < from ? [] : round(steps[from], steps[to], Math.max(1, Math.floor(W / 90)), 1)) {
    const k = placeOf(steps, step), x = xOf(k + 0.5);
    if (x > labels + 14 && x < width - 14) c.fillText(steps[k].toLocaleString('en'), x, TOP + height + 12);
  }
  c.textAlign = 'left';
  c.fillText(labels > 100 ? 'step' : 'step, rank', 0, TOP + height + 12);
  for (const [from, to, colour] of marks) {
    const x0 = Math.max(labels, xOf(from)), x1 = Math.min(width, xOf(to + 1));
    if (x1 > x0) { c.fillStyle = colour; c.fillRect(x0, 2, Math.max(2, x1 - x0), 5); }
  }
  if (cursor) {
    const y = yOf(cursor[0]), x = xOf(cursor[1]), h = Math.max(3, cell), w = Math.max(3, wide);
    c.strokeStyle = css('--ink');
    c.lineWidth = 1;
    c.globalAlpha = 0.5;
    c.beginPath();
    c.moveTo(labels, y + h / 2); c.lineTo(x - 2, y + h / 2); c.moveTo(x + w + 2, y + h / 2); c.lineTo(width, y + h / 2);
    c.moveTo(x + w / 2, TOP); c.lineTo(x + w / 2, y - 2); c.moveTo(x + w / 2, y + h + 2); c.lineTo(x + w / 2, TOP + height);
    c.stroke();
    c.globalAlpha = 1;
    c.lineWidth = 2;
    c.strokeRect(x - 1, y - 1, w + 2, h + 2);
  }
  if (box) {
    c.strokeStyle = css('--accent');
    c.lineWidth = 2;
    c.strokeRect(Math.min(box.x, box.nowX) + labels, Math.min(box.y, box.nowY) + TOP, Math.abs(box.nowX - box.x), Math.abs(box.nowY - box.y));
  }
};
