// Collapsed stacks to a tree that holds suspects against peers, and its picture.
import {diverging, el, percent, signed} from './look.js';
import {count, safe} from './words.js';

const MOST_LINES = 400000, MOST_NODES = 3000, MOST_DEPTH = 300;

/** Reads `rank 0003;thread;outer;inner 12`, a line a stack. Lines that are none are counted. */
export const parse = (text) => {
  const stacks = [];
  let bad = 0, left = 0;
  for (const line of text.split('\n')) {
    if (!line) continue;
    if (stacks.length >= MOST_LINES) { left++; continue; }
    const at = line.lastIndexOf(' '), weight = Number(line.slice(at + 1)), frames = line.slice(0, at).split(';'), rank = /^rank (\d+)$/.exec(frames[0]);
    if (at < 0 || !rank || !(weight > 0)) { bad++; continue; }
    stacks.push({rank: Number(rank[1]), frames: frames.slice(1, MOST_DEPTH), weight});
  }
  return {stacks, bad, left};
};

/** A tree of frames; `a` and `b` of a node are its shares of the suspects' and the peers' samples. */
export const tree = (stacks, isSuspect) => {
  const node = (name) => ({name, a: 0, b: 0, own: 0, children: new Map()});
  const top = node('all'), sums = [0, 0];
  for (const s of stacks) sums[isSuspect(s.rank) ? 0 : 1] += s.weight;
  for (const s of stacks) {
    const side = isSuspect(s.rank) ? 'a' : 'b', share = s.weight / sums[side === 'a' ? 0 : 1];
    let at = top;
    at[side] += share;
    for (const frame of s.frames) {
      if (!at.children.has(frame)) at.children.set(frame, node(frame));
      at = at.children.get(frame);
      at[side] += share;
    }
  }
  return {top, samples: sums};
};

/** Frames in which suspects spend most more than peers, deepest of those with the same difference first. */
export const differences = (top, most = 5) => {
  const found = [];
  const walk = (n, path) => {
    const own = n.a - [...n.children.values()].reduce((s, c) => s + c.a, 0), ownPeers = n.b - [...n.children.values()].reduce((s, c) => s + c.b, 0);
    if (own - ownPeers > 0.02) found.push({name: n.name, more: own - ownPeers, a: own, b: ownPeers, path});
    for (const c of n.children.values()) walk(c, [...path, c.name]);
  };
  walk(top, []);
  return found.sort((x, y) => y.more - x.more).slice(0, most);
};

/** The picture: width by share, colour by difference. */
export const flame = ({top, samples}, tell) => {
  let root = [top], by = samples[0] ? 'a' : 'b', search = '', focus = null;
  const both = samples[0] > 0 && samples[1] > 0;
  const box = el('div', {class: 'flame', role: 'tree', 'aria-label': 'Flame graph; arrow keys move, Enter comes nearer, Backspace goes back'});
  const cells = new Map();
  const words = (n) => safe(n.name, 300) + ': ' + (samples[0] ? percent(n.a) + ' of the suspects\u2019 samples' : '') + (both ? ', ' + percent(n.b) + ' of the peers\u2019; difference ' + signed(n.a - n.b) : samples[1] ? percent(n.b) + ' of the samples' : '');
  const draw = () => {
    const colour = diverging(), here = root.at(-1), whole = here[by] || 1, deep = root.length - 1;
    const rows = [];
    let n = 0;
    cells.clear();
    const place = (node, depth, left, width, parent) => {
      if (++n > MOST_NODES) return;
      const d = Math.max(-1, Math.min(1, 4 * (node.a - node.b)));
      const hit = search && node.name.toLowerCase().includes(search);
      const cell = el('div', {class: 'frame' + (hit ? ' hit' : ''), role: 'treeitem', tabindex: -1, title: words(node), 'aria-label': words(node), 'aria-level': depth + 1}, safe(node.name, 200));
      cell.style.left = 100 * left + '%';
      cell.style.width = 100 * width + '%';
      cell.style.top = 21 * depth + 'px';
      cell.style.background = both ? colour(0.5 + 0.32 * d) : colour(0.62);
      const entry = {node, parent, cell, kids: [], depth};
      cells.set(cell, entry);
      parent?.kids.push(entry);
      (rows[depth] ||= []).push(entry);
      box.append(cell);
      let at = left;
      for (const c of [...node.children.values()].sort((x, y) => x.name < y.name ? -1 : 1)) {
        const wide = c[by] / whole;
        if (wide > 0.0015) place(c, depth + 1, at, depth < deep ? width : wide, entry);
        at += wide;
      }
    };
    box.replaceChildren();
    // Those above the one that fills the width, then everything below it.
    root.slice(0, -1).forEach((node, depth) => {
      const cell = el('div', {class: 'frame above', role: 'treeitem', tabindex: -1, title: words(node), 'aria-label': words(node), 'aria-level': depth + 1}, safe(node.name, 200));
      cell.style.left = '0';
      cell.style.width = '100%';
      cell.style.top = 21 * depth + 'px';
      const entry = {node, parent: null, cell, kids: [], depth, up: depth};
      cells.set(cell, entry);
      (rows[depth] ||= []).push(entry);
      box.append(cell);
    });
    place(here, deep, 0, 1, rows[deep - 1]?.[0]);
    box.style.height = 21 * rows.length + 'px';
    const first = focus && [...cells.values()].find((e) => e.node === focus) || rows[deep][0];
    first.cell.tabIndex = 0;
    return first;
  };
  const into = (entry) => {
    focus = entry.node;
    if (entry.up !== undefined) root = root.slice(0, entry.up + 1);
    else {
      const path = [];
      for (let e = entry; e && e.up === undefined; e = e.parent) path.unshift(e.node);
      root = [...root.slice(0, -1), ...path];
    }
    draw().cell.focus({preventScroll: true});
  };
  const move = (from, to) => {
    if (!to) return;
    from.cell.tabIndex = -1;
    to.cell.tabIndex = 0;
    to.cell.focus();
    focus = to.node;
  };
  box.addEventListener('click', (e) => { const entry = cells.get(e.target); if (entry) into(entry); });
  box.addEventListener('focusin', (e) => { const entry = cells.get(e.target); if (entry) tell(words(entry.node)); });
  box.addEventListener('mouseover', (e) => { const entry = cells.get(e.target); if (entry) tell(words(entry.node)); });
  box.addEventListener('keydown', (e) => {
    const entry = cells.get(e.target);
    if (!entry || e.ctrlKey || e.metaKey || e.altKey) return;
    const siblings = entry.parent?.kids || [entry], at = siblings.indexOf(entry);
    if (e.key === 'ArrowDown') move(entry, entry.kids.slice().sort((x, y) => y.node[by] - x.node[by])[0]);
    else if (e.key === 'ArrowUp') move(entry, entry.parent || [...cells.values()].find((x) => x.depth === entry.depth - 1));
    else if (e.key === 'ArrowRight') move(entry, siblings[at + 1]);
    else if (e.key === 'ArrowLeft') move(entry, siblings[at - 1]);
    else if (e.key === 'Enter' || e.key === ' ') into(entry);
    else if (e.key === 'Backspace' && root.length > 1) { root = root.slice(0, -1); focus = root.at(-1); draw().cell.focus({preventScroll: true}); } else return;
    e.preventDefault();
  });
  draw();
  return {node: box, paint: draw, find: (text) => { search = text.toLowerCase(); draw(); return search ? count([...cells.values()].filter((e) => e.node.name.toLowerCase().includes(search)).length) : ''; },
    width: (side) => { by = side; root = [top]; focus = null; draw(); }, all: () => { root = [top]; focus = null; draw(); }};
};
