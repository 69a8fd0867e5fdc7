// L4: what ran where and when around an incident: suspects and two of their peers.
import {css, dark, el, note, section, stepText, time} from './look.js';
import {buffer, json, objectHref} from './api.js';
import {bytes, count, moment, plural, safe, sentence, to} from './words.js';
import {crumbs} from './incident.js';
import {readTimeline} from './perfetto.js';

const MOST_AWAY = 900e9, MOST_BYTES = 64e6, MOST_FILES = 6, LINE = 17, HEAD = 20, LEFT = 190, AXIS = 24;
const COMMUNICATION = /nccl|rccl|gloo|all_?reduce|all_?gather|reduce_?scatter|all_?to_?all|broadcast|barrier|send|recv/i, EVERYBODY = /all_?reduce|all_?gather|reduce_?scatter|all_?to_?all|barrier/i, MEMORY = /memcpy|memset|copy/i, WAIT = /wait|idle|poll|sleep/i;
const STEP = /^(?:step|ProfilerStep)\W*(\d+)$/i;
const PERFETTO = 'https://ui.perfetto.dev';

// Kind of a slice: a word, for the readout, and the colour that goes with it.
const kindOf = (name) => COMMUNICATION.test(name) ? 'communication' : WAIT.test(name) ? 'waiting' : MEMORY.test(name) ? 'memory' : 'work';
const colours = () => dark() ? {communication: '#d8803f', waiting: '#4d535c', memory: '#a998ee', work: '#4f8fd6'} : {communication: '#d9843b', waiting: '#c9c6bf', memory: '#8578c9', work: '#4a86c5'};

// Where it opens: at the first step of the incident with a little before it, when more than that was recorded.
const opening = (begin, end, first) => {
  if (!first || first.end <= begin || first.start >= end) return {from: begin, to: end};
  const wide = first.end - first.start;
  return {from: Math.max(begin, first.start - 0.15 * wide), to: Math.min(end, first.end + 0.35 * wide)};
};

/** Steps that were recorded, by the slices that agents name after them, and where the first of those of the incident lies over all ranks that are drawn. */
export const stepsIn = (processes, incident) => {
  const steps = new Map();
  for (const p of processes) for (const t of p.tracks) for (const s of t.slices) {
    const number = STEP.exec(s.name);
    if (!number) continue;
    const known = steps.get(Number(number[1]));
    steps.set(Number(number[1]), {start: Math.min(s.start, known?.start ?? Infinity), end: Math.max(s.end, known?.end ?? -Infinity)});
  }
  const all = [...steps.keys()].sort((a, b) => a - b), of = incident?.steps, at = of ? all.find((n) => n >= of[0] && n <= of[1]) : undefined;
  return {all, at, first: steps.get(at)};
};

/** Draws processes on one axis; times in ns from a common base. It opens at `first`, a stretch of it, where there is one. */
const chart = (processes, suspects, around, first, tell) => {
  const rows = [];
  let y = AXIS;
  for (const p of processes) {
    const rank = /^rank 0*(\d+)/.exec(p.name), accused = rank && suspects.has(Number(rank[1]));
    rows.push({y, head: (accused ? '\u25b6 ' : '') + safe(p.name, 60) + (p.labels.length ? ' (' + safe(p.labels[0], 40) + ')' : ''), accused});
    y += HEAD;
    for (const t of p.tracks) {
      const deep = Math.min(6, t.depth);
      const lanes = Array.from({length: deep}, () => []);
      for (const s of t.slices) if (s.depth < deep) lanes[s.depth].push(s);
      rows.push({y, track: t, process: p, lanes, hidden: t.depth - deep});
      y += deep * LINE + 3;
    }
    y += 4;
  }
  const all = processes.flatMap((p) => p.tracks.flatMap((t) => t.slices));
  const begin = all.reduce((a, s) => Math.min(a, s.start), Infinity), end = all.reduce((a, s) => Math.max(a, s.end), -Infinity), wide = Math.max(1, end - begin);
  let view = opening(begin, end, first), picked = null, queued = false, drag = null;
  const canvas = el('canvas', {tabindex: 0, role: 'img', 'aria-label': 'Timeline; left and right arrows move, plus and minus come nearer and go away, up and down choose a track, comma and full stop a slice', 'aria-describedby': 'slice-readout'});
  const paint = () => {
    queued = false;
    if (!canvas.isConnected) return;
    const W = Math.max(300, canvas.parentNode.clientWidth), H = y + 6, left = W < 600 ? 90 : LEFT, dpr = Math.min(2, devicePixelRatio || 1);
    if (canvas.width !== W * dpr || canvas.height !== H * dpr) { canvas.width = W * dpr; canvas.height = H * dpr; canvas.style.height = H + 'px'; }
    const c = canvas.getContext('2d'), colour = colours(), perPixel = (view.to - view.from) / (W - left), x = (t) => left + (t - view.from) / perPixel;
    canvas.plot = {W, left, perPixel};
    c.setTransform(dpr, 0, 0, dpr, 0, 0);
    c.fillStyle = css('--panel');
    c.fillRect(0, 0, W, H);
    c.font = '11px system-ui, "DejaVu Sans", sans-serif';
    c.textBaseline = 'middle';
    const span = view.to - view.from, raw = span / 8, unit = 10 ** Math.floor(Math.log10(raw)), tick = unit * (raw / unit > 5 ? 10 : raw / unit > 2 ? 5 : raw / unit > 1 ? 2 : 1);
    for (let t = Math.ceil((view.from - begin) / tick) * tick + begin; t < view.to; t += tick) {
      c.fillStyle = css('--line');
      c.fillRect(Math.round(x(t)), AXIS - 6, 1, H);
      c.fillStyle = css('--soft');
      c.fillText(t === begin ? '0' : time(t - begin), x(t) + 3, 9);
    }
    for (const [t, word] of around) {
      if (t < view.from || t > view.to) continue;
      c.fillStyle = css('--suspect');
      c.fillRect(Math.round(x(t)), 14, 2, H);
      c.fillText(word, x(t) + 5, 18);
    }
    for (const row of rows) {
      if (row.head) {
        c.fillStyle = row.accused ? css('--suspect') : css('--ink');
        c.font = 'bold 12px system-ui, "DejaVu Sans", sans-serif';
        c.fillText(row.head, 2, row.y + HEAD / 2);
        c.font = '11px system-ui, "DejaVu Sans", sans-serif';
        continue;
      }
      c.fillStyle = css('--soft');
      let name = safe(row.track.name, 80);
      while (name.length > 3 && c.measureText(name).width > left - 14) name = name.slice(0, -2) + '\u2026';
      c.fillText(name, 8, row.y + LINE / 2);
      row.lanes.forEach((lane, d) => {
        const top = row.y + d * LINE;
        let a = 0, b = lane.length;
        while (a < b) { const m = (a + b) >> 1; if (lane[m].end < view.from) a = m + 1; else b = m; }
        let drawn = -1;
        for (let i = a; i < lane.length && lane[i].start <= view.to; i++) {
          const s = lane[i], x1 = Math.min(W, x(s.end));
          if (x1 <= drawn) continue; // what lies within one pixel is one pixel
          const x0 = Math.max(left, x(s.start)), w = Math.max(1, x1 - x0 - (x1 - x0 > 3 ? 1 : 0));
          c.fillStyle = colour[kindOf(s.name)];
          c.fillRect(x0, top, w, LINE - 2);
          if (s.waited) {
            c.fillStyle = colour.waiting;
            c.fillRect(x0, top, Math.min(w, Math.max(0, x(s.start + s.waited) - x0)), LINE - 2);
          }
          drawn = Math.max(x1, x0 + 1);
          if (s === picked) { c.strokeStyle = css('--ink'); c.lineWidth = 2; c.strokeRect(x0, top, Math.max(2, w), LINE - 2); }
          if (w > 34) {
            c.save();
            c.beginPath();
            c.rect(x0, top, w, LINE);
            c.clip();
            const grey = kindOf(s.name) === 'waiting' || s.waited > 0;
            c.fillStyle = dark() !== grey ? '#0d0f12' : '#ffffff';
            c.fillText(safe(s.name, 80), x0 + 3, top + LINE / 2 - 1);
            c.restore();
          }
        }
      });
    }
  };
  const soon = () => { if (!queued) { queued = true; requestAnimationFrame(paint); } };
  const at = (e) => {
    const b = canvas.getBoundingClientRect(), {left, perPixel} = canvas.plot || {left: LEFT, perPixel: 1}, py = e.clientY - b.top, t = view.from + (e.clientX - b.left - left) * perPixel;
    for (const row of rows) {
      if (!row.lanes || py < row.y || py >= row.y + row.lanes.length * LINE) continue;
      const lane = row.lanes[Math.floor((py - row.y) / LINE)];
      return {t, row, slice: lane.find((s) => s.start <= t + perPixel && s.end >= t - perPixel)};
    }
    return {t, row: null, slice: null};
  };
  const describe = (row, s) => tell(safe(row.process.name, 60) + ', ' + safe(row.track.name, 60) + ': ' + safe(s.name, 200) + ' (' + kindOf(s.name) + '), ' + time(s.end - s.start) + (s.waited ? ', of which ' + time(s.waited) + ' waiting for ' + safe(s.last, 60) : s.last === '' ? ', came last of those drawn' : '') + ', from ' + (s.start === begin ? '0' : time(s.start - begin)) + ' on');
  const set = (from, to) => {
    const span = Math.min(wide, Math.max(1000, to - from)), start = Math.min(end - span, Math.max(begin, from + (to - from - span) / 2));
    view = {from: start, to: start + span};
    soon();
  };
  const zoom = (by, t) => set(t - (t - view.from) * by, t + (view.to - t) * by);
  canvas.addEventListener('pointerdown', (e) => { drag = {x: e.clientX, from: view.from, to: view.to, moved: false}; canvas.setPointerCapture(e.pointerId); });
  canvas.addEventListener('pointermove', (e) => {
    if (drag) {
      drag.moved ||= Math.abs(e.clientX - drag.x) > 3;
      const d = (drag.x - e.clientX) * canvas.plot.perPixel;
      if (drag.moved) set(Math.max(begin, Math.min(end - (drag.to - drag.from), drag.from + d)), Math.max(begin, Math.min(end - (drag.to - drag.from), drag.from + d)) + drag.to - drag.from);
      return;
    }
    const here = at(e);
    if (here.slice) describe(here.row, here.slice);
  });
  canvas.addEventListener('pointerup', (e) => {
    if (drag && !drag.moved) { const here = at(e); picked = here.slice || null; current = here.row ? tracks.indexOf(here.row) : current; soon(); }
    drag = null;
  });
  canvas.addEventListener('wheel', (e) => {
    if (document.activeElement !== canvas && !e.ctrlKey) return;
    e.preventDefault();
    zoom(e.deltaY > 0 ? 1.25 : 0.8, at(e).t);
  }, {passive: false});
  canvas.addEventListener('dblclick', () => set(begin, end));
  const tracks = rows.filter((r) => r.lanes);
  let current = 0;
  canvas.addEventListener('keydown', (e) => {
    if (e.ctrlKey || e.metaKey || e.altKey || !tracks.length) return;
    const span = view.to - view.from, middle = picked ? (picked.start + picked.end) / 2 : view.from + span / 2, list = tracks[current].track.slices;
    const step = (k) => {
      const i = picked ? list.indexOf(picked) : -1, next = i < 0 ? list.findIndex((s) => s.end >= view.from) : i + k;
      if (!list[next]) return;
      picked = list[next];
      if (picked.start < view.from || picked.end > view.to) set(picked.start - span / 3, picked.start - span / 3 + span);
      describe(tracks[current], picked);
      soon();
    };
    if (e.key === 'ArrowLeft' || e.key === 'ArrowRight') { const d = (e.key === 'ArrowLeft' ? -1 : 1) * span / 5, f = Math.min(end - span, Math.max(begin, view.from + d)); set(f, f + span); } else if (e.key === '+' || e.key === '=') zoom(0.5, middle);
    else if (e.key === '-') zoom(2, middle);
    else if (e.key === '0') set(begin, end);
    else if (e.key === '.' || e.key === ',') step(e.key === '.' ? 1 : -1);
    else if (e.key === 'ArrowDown' || e.key === 'ArrowUp') {
      current = Math.min(tracks.length - 1, Math.max(0, current + (e.key === 'ArrowDown' ? 1 : -1)));
      picked = null;
      step(1);
    } else return;
    e.preventDefault();
  });
  return {node: canvas, paint: soon, all: () => set(begin, end), first: first ? () => { view = opening(begin, end, first); soon(); } : null, count: all.length};
};

/** Hands a file to the viewer of Perfetto in another window: by message, once it answers. Leaves this host only then. */
const openElsewhere = (key, name, tell) => {
  const other = window.open(PERFETTO, '_blank');
  if (!other) { tell('The browser did not open a window: allow pop-ups of this page, or download the file and open it there.'); return; }
  tell('Waiting for ' + PERFETTO + ' to answer.');
  const data = fetch(objectHref(key)).then((r) => { if (!r.ok) throw new Error('status ' + r.status); return r.arrayBuffer(); });
  data.catch((e) => tell('The file could not be read: ' + e.message));
  let tries = 0;
  const asking = setInterval(() => { if (++tries > 120) { clearInterval(asking); removeEventListener('message', heard); tell('The viewer did not answer. Download the file and open it there.'); } else other.postMessage('PING', PERFETTO); }, 250);
  const heard = async (e) => {
    if (e.origin !== PERFETTO || e.data !== 'PONG') return;
    clearInterval(asking);
    removeEventListener('message', heard);
    try { other.postMessage({perfetto: {buffer: await data, title: name}}, PERFETTO); tell('Handed over.'); } catch { /* said already */ }
  };
  addEventListener('message', heard);
};

// The agent writes the host as the first label of a rank.
const hostOf = (p) => p.labels[0] ?? '';

/** In a collective in which all wait for all, nobody transfers before the last one has come: each of the others waits until then, as far as the ranks drawn tell. */
const splitWaits = (processes) => {
  const meetings = new Map();
  for (const p of processes) for (const t of p.tracks) for (const s of t.slices) {
    if (!s.flow || !EVERYBODY.test(s.name)) continue;
    const all = meetings.get(s.flow) || [];
    all.push({s, p});
    meetings.set(s.flow, all);
  }
  for (const all of meetings.values()) {
    if (new Set(all.map((m) => m.p)).size < 2) continue;
    const last = all.reduce((a, m) => m.s.start > a.s.start ? m : a);
    for (const {s, p} of all) {
      s.waited = p === last.p ? 0 : Math.max(0, Math.min(s.end, last.s.start) - s.start);
      s.last = p === last.p ? '' : last.p.name;
    }
  }
};

/** What to take from the times of each host so that all are on one clock, by the ends that collectives have in common; null when nothing is known, or all ran on one host. */
const clockShifts = async (job, processes, base, signal) => {
  const hosts = new Set(processes.map(hostOf));
  if (hosts.size < 2) return {by: new Map(), sentence: 'All of it is by one clock.'};
  let clocks;
  try { ({clocks} = await json('/jobs/' + encodeURIComponent(job) + '/clocks', signal)); } catch (e) { if (e.name === 'AbortError') throw e; return null; } // of a job that is over they are not known any more
  const known = clocks.filter((c) => hosts.has(c.host) && !c.refusal), reference = known[0]?.reference, of = known.filter((c) => c.reference === reference);
  // Clocks drift: what is known now says nothing of a recording of another hour.
  const away = (c) => c.atEpochNanos === null ? 0 : base - c.atEpochNanos;
  if (of.length < 2 || of.some((c) => Math.abs(away(c)) > MOST_AWAY)) return null;
  const left = [...hosts].filter((h) => !of.some((c) => c.host === h));
  const bound = of.reduce((a, c) => Math.max(a, c.errorNanos + Math.abs(away(c)) * c.driftErrorPpm / 1e6), 0);
  return {by: new Map(of.map((c) => [c.host, c.offsetNanos + away(c) * c.driftPpm / 1e6])), sentence: 'Clocks of hosts are aligned by the common ends of collectives, to within ' + time(bound) + (left.length ? '; not so of ' + safe(left.join(', '), 200) : '') + '.'};
};

export const timelineView = async ({params: [id], signal}) => {
  const {job, incident, objects} = await json('/incidents/' + encodeURIComponent(id), signal);
  const found = objects.filter((o) => o.kind === 'perfetto').sort((a, b) => b.createdEpochNanos - a.createdEpochNanos);
  const node = el('div', {}, crumbs(job, incident, objects, 'timeline')), up = to('incident', id), title = 'Timeline: ' + sentence(incident?.summary).slice(0, 60);
  if (!found.length) {
    node.append(section('timeline', 'Suspects and peers around it', note(incident?.ranks?.length ? 'No excerpt was kept beside this incident. Agents are asked for one when an incident opens that accuses ranks; it takes some seconds, and needs their history of events (on unless an agent was started without).' : 'This incident accuses no rank, so there is no odd one whose timeline would be cut out.')));
    return {node, title, up};
  }
  const status = el('p', {class: 'note', role: 'status'}), readout = el('p', {class: 'readout', id: 'slice-readout', 'aria-live': 'polite'}, 'Point at a slice, or use the arrow keys, to read it.'), holder = el('div', {}, note('Reading.'));
  const clockNote = note('Times are those of each host\u2019s own clock: between hosts they may be apart by what their clocks are, so what a rank waits for in a collective is not drawn apart.');
  const files = el('ul', {}, found.map((o) => el('li', {}, safe(o.key.split('/').at(-1), 120) + ', ' + bytes(o.bytes) + ', ', moment(o.createdEpochNanos), ': ', el('a', {href: objectHref(o.key), download: ''}, 'download'), ', ',
    el('button', {type: 'button', title: 'Sends the file to a page of another host, in your browser', onclick: () => openElsewhere(o.key, o.key.split('/').at(-1), (t) => { status.textContent = t; })}, 'open in Perfetto (leaves this host)'))));
  node.append(section('timeline', 'Suspects and peers around it', holder, readout, legend(), el('p', {class: 'note keys'}, 'Drag: move. Wheel, when the timeline is in focus, ', el('kbd', {}, '+'), ' ', el('kbd', {}, '\u2212'), ' ', el('kbd', {}, '0'), ': nearer, farther, all. ', el('kbd', {}, '\u2191'), ' ', el('kbd', {}, '\u2193'), ' track, ', el('kbd', {}, ','), ' ', el('kbd', {}, '.'), ' slice.'),
    clockNote),
  section('files', 'Files', files, status, note('\u201copen in Perfetto\u201d opens ui.perfetto.dev in a new window and hands the file to it inside your browser. Names of kernels and hosts are in the file: do it only where they may leave this host.')));
  let picture = null;
  const read = async () => {
    const processes = [], problems = [];
    let base = null;
    for (const o of found.slice(0, MOST_FILES)) {
      if (o.bytes > MOST_BYTES) { problems.push(o.key.split('/').at(-1) + ' has ' + bytes(o.bytes) + ', too much for this page: download it.'); continue; }
      const one = await readTimeline(await buffer('/objects/' + o.key.split('/').map(encodeURIComponent).join('/'), 'application/octet-stream', signal));
      if (one.problem) problems.push(one.problem);
      base ??= one.base;
      const shift = one.base - base;
      for (const p of one.processes) {
        // The mark of the incident is for other viewers: here the incident itself is at hand.
        if (p.name === 'incidents' || processes.some((q) => q.name === p.name)) continue;
        if (shift) p.tracks.forEach((t) => t.slices.forEach((s) => { s.start += shift; s.end += shift; }));
        processes.push(p);
      }
    }
    const shifts = await clockShifts(job, processes, base, signal);
    if (shifts) {
      for (const p of processes) {
        const by = shifts.by.get(hostOf(p));
        if (by) p.tracks.forEach((t) => t.slices.forEach((s) => { s.start -= by; s.end -= by; }));
      }
      clockNote.textContent = shifts.sentence + ' A collective that all wait in is drawn as waiting until the last of the ranks drawn has come; a rank that is not drawn may have come later still.';
      splitWaits(processes);
    }
    if (found.length > MOST_FILES) problems.push((found.length - MOST_FILES) + ' older files are not drawn.');
    const suspects = new Set(incident?.ranks || []), rank = (p) => Number(/^rank 0*(\d+)/.exec(p.name)?.[1] ?? 1e9);
    processes.sort((a, b) => suspects.has(rank(b)) - suspects.has(rank(a)) || rank(a) - rank(b));
    if (!processes.length) { holder.replaceChildren(note('There is nothing in it that could be drawn. ' + problems.join(' '))); return; }
    const around = incident?.sinceEpochNanos ? [[incident.sinceEpochNanos - base, 'incident begins']] : [];
    const shown = stepsIn(processes, incident);
    picture = chart(processes, suspects, around, shown.first, (text) => { readout.textContent = text; });
    holder.replaceChildren(el('div', {class: 'bar controls'}, el('button', {type: 'button', onclick: picture.all}, 'All'), picture.first ? el('button', {type: 'button', onclick: picture.first}, 'Step ' + count(shown.at)) : null, el('span', {class: 'note'}, recorded(shown, incident)), el('span', {class: 'note'}, plural(picture.count, 'slice') + ' of ' + plural(processes.length, 'rank') + '. ' + problems.map((p) => safe(p, 300)).join(' '))), picture.node);
    picture.paint();
  };
  const resized = () => picture?.paint();
  addEventListener('resize', resized);
  return {node, title, up, paint: () => picture?.paint(), close: () => removeEventListener('resize', resized),
    attached: () => read().catch((e) => { if (e.name !== 'AbortError') holder.replaceChildren(note('The timeline could not be read: ' + e.message)); })};
};

const recorded = ({all, at}, incident) => !all.length ? 'Which steps these are was not recorded. '
  : sentence('S' + stepText(all[0], all.at(-1)).slice(1)) + ' recorded' + (incident?.steps ? ', of an incident in ' + stepText(incident.steps[0], incident.steps[1]) + (at === undefined ? ': none of its own' : '; opened at step ' + count(at) + (at === incident.steps[0] ? ', where it begins' : ', the first of its own that is here')) : '') + '. ';

const legend = () => el('p', {class: 'legend note'}, [['work', 'kind-work'], ['communication', 'kind-communication'], ['memory', 'kind-memory'], ['waiting', 'kind-waiting']].map(([word, cls]) => el('span', {}, el('span', {class: 'swatch ' + cls}), ' ' + word)));
