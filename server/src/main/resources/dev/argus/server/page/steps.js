// L1: step times, with the moment of change, incidents and known events.
import {el, note, section, stepText, svg, time} from './look.js';
import {json, job as path} from './api.js';
import {clock, count, link, local, millis, plural, round, safe, sentence, to} from './words.js';
import {crumbs, incidentOf} from './incident.js';

const MOST = 1000, MOST_MARKS = 9;
const EVENTS = /^(checkpoint|evaluation|warmup|transient)$/;
const eventWord = (kind) => kind === 'transient' ? 'long for all ranks (hollow)' : kind;

const positionOf = (steps, step) => {
  const at = steps.findIndex((s) => s.step >= step);
  return at < 0 ? steps.length - 1 : at;
};

const roundLog = (least, most) => {
  const all = [];
  for (let unit = 10 ** Math.floor(Math.log10(least)); unit <= most; unit *= 10) for (const k of [1, 2, 5]) if (k * unit >= least && k * unit <= most) all.push(k * unit);
  const thin = Math.ceil(all.length / 7);
  return all.length < 2 ? round(least, most, 5) : all.filter((_, i) => i % thin === 0);
};
/** Numbers of incidents that begin too near to each other to be written one by one stand in one place. */
const beside = (begins) => {
  const places = [];
  for (const b of begins.sort((a, c) => a.x - c.x || a.number - c.number)) {
    const last = places.at(-1);
    if (last && b.x - last.x < 12 + 9 * last.list.length) last.list.push(b); else places.push({x: b.x, list: [b]});
  }
  places.forEach((p) => p.list.sort((a, c) => a.number - c.number));
  return places;
};

/** The chart; `incidents` and `events` have steps [first, last]. */
export const stepChart = (steps, incidents, events, pick) => {
  const n = steps.length, known = steps.map((s) => s.medianNanos).filter((v) => v > 0).sort((a, b) => a - b);
  if (!known.length) return {node: note('No step has ended in this range.'), show: () => {}};
  const W = Math.max(280, Math.min(1120, innerWidth - 60)), H = 280, left = 64, right = 12, topEdge = 30, bottom = 44;
  const values = steps.flatMap((s) => [s.medianNanos, s.maxNanos]).filter((v) => v > 0);
  let least = values.reduce((a, b) => Math.min(a, b)), most = values.reduce((a, b) => Math.max(a, b));
  const log = most > 6 * known[known.length >> 1], zero = !log && least < 0.5 * most;
  if (zero) least = 0; else least *= 0.98;
  most *= 1.02;
  const f = log ? Math.log : (v) => v;
  const y = (v) => topEdge + (H - topEdge - bottom) * (1 - (f(v) - f(least)) / (f(most) - f(least) || 1));
  const x = (i) => left + (W - left - right) * (n === 1 ? 0.5 : i / (n - 1)), half = n === 1 ? 20 : (W - left - right) / (n - 1) / 2;
  const art = svg('svg', {viewBox: `0 0 ${W} ${H}`, width: W, height: H, role: 'img', tabindex: 0, 'aria-label': 'Step times; arrow keys move from step to step', 'aria-describedby': 'step-readout'});
  const begins = [];
  const across = (first, last) => [Math.max(left, x(positionOf(steps, first)) - half), Math.min(W - right, x(positionOf(steps, last)) + half)];
  incidents.forEach((i, k) => {
    if (!i.steps || i.steps[1] < steps[0].step || i.steps[0] > steps[n - 1].step) return;
    const [from, to] = across(i.steps[0], i.steps[1]);
    art.append(svg('rect', {class: 'during', x: from, y: topEdge, width: Math.max(1, to - from), height: H - topEdge - bottom}));
    if (i.steps[0] >= steps[0].step) art.append(svg('line', {class: 'change', x1: from, x2: from, y1: topEdge - 8, y2: H - bottom}));
    begins.push({x: from, number: k + 1, summary: sentence(i.summary)});
  });
  for (const {x: at, list} of beside(begins)) {
    const text = list.map((b) => b.number).join(', '), half = 4 * text.length;
    const label = svg('text', {class: 'change-label', x: Math.min(W - half, Math.max(half, at)), y: topEdge - 12, 'text-anchor': 'middle'}, text);
    label.append(svg('title', {}, list.map((b) => b.number + ': ' + b.summary).join('\n')));
    art.append(label);
  }
  for (const v of log ? roundLog(least, most) : round(least, most, 6)) {
    art.append(svg('line', {class: 'axis', x1: left, x2: W - right, y1: y(v), y2: y(v)}));
    art.append(svg('text', {x: left - 8, y: y(v) + 4, 'text-anchor': 'end'}, time(v)));
  }
  for (const step of round(steps[0].step, steps[n - 1].step, Math.max(1, Math.floor(W / 90)), 1)) {
    const i = positionOf(steps, step);
    if (x(i) < W - 24) art.append(svg('text', {x: x(i), y: H - bottom + 16, 'text-anchor': 'middle'}, steps[i].step.toLocaleString('en')));
  }
  art.append(svg('text', {x: left, y: H - 6}, 'step'));
  for (const e of events) {
    if (!e.steps || e.steps[1] < steps[0].step || e.steps[0] > steps[n - 1].step) continue;
    const [from, to] = across(e.steps[0], e.steps[1]);
    const mark = svg('rect', {class: e.kind === 'transient' ? 'long' : 'event', x: from, y: H - bottom + 20, width: Math.max(3, to - from), height: 6});
    mark.append(svg('title', {}, eventWord(e.kind) + ', ' + stepText(e.steps[0], e.steps[1])));
    art.append(mark);
  }
  const points = [...steps.keys()].filter((i) => steps[i].medianNanos > 0);
  const path = (list) => list.map(([i, v], k) => (k ? 'L' : 'M') + x(i).toFixed(1) + ',' + y(v).toFixed(1)).join('');
  const both = points.filter((i) => steps[i].maxNanos > 0);
  if (both.length > 1) art.append(svg('path', {class: 'band', d: path(both.map((i) => [i, steps[i].maxNanos])) + path(both.slice().reverse().map((i) => [i, steps[i].medianNanos])).replace('M', 'L') + 'Z'}));
  art.append(svg('path', {class: 'main', d: path(points.map((i) => [i, steps[i].medianNanos]))}));
  if (n <= 80) points.forEach((i) => art.append(svg('circle', {class: 'dot', cx: x(i), cy: y(steps[i].medianNanos), r: 2.6})));
  const cross = svg('line', {class: 'cross', y1: topEdge, y2: H - bottom, x1: -9, x2: -9});
  art.append(cross);
  const readout = el('p', {class: 'readout note', id: 'step-readout', 'aria-live': 'polite'}, 'Point at a step, or use the arrow keys, to read its values.');
  let at = -1;
  const show = (i) => {
    at = Math.min(n - 1, Math.max(0, i));
    cross.setAttribute('x1', x(at));
    cross.setAttribute('x2', x(at));
    const s = steps[at], here = events.filter((e) => e.steps && s.step >= e.steps[0] && s.step <= e.steps[1]).map((e) => eventWord(e.kind));
    const inside = incidents.map((i, k) => [i, k + 1]).filter(([i]) => i.steps && s.step >= i.steps[0] && s.step <= i.steps[1]).map(([, k]) => k);
    readout.textContent = stepText(s.step, s.step) + ': ' + (s.ranks > 2 ? time(s.medianNanos ?? NaN) + ' on most ranks, ' : '') + time(s.maxNanos ?? NaN) + ' on the slowest' + (s.maxRank === null ? '' : ', rank ' + s.maxRank) + '; ' + plural(s.ranks, 'rank') + ' reported'
      + (here.length ? '; ' + here.join(', ') : '') + (inside.length ? '; incident ' + inside.join(', ') : '') + (s.startEpochNanos ? '; began ' + clock(new Date(millis(s.startEpochNanos))) : '');
    readout.title = s.startEpochNanos ? local(new Date(millis(s.startEpochNanos))) : '';
    pick?.(s.step);
  };
  art.addEventListener('mousemove', (e) => {
    const box = art.getBoundingClientRect();
    show(Math.round(((e.clientX - box.left) / box.width * W - left) / (W - left - right) * (n - 1)));
  });
  art.addEventListener('keydown', (e) => {
    const move = {ArrowLeft: -1, ArrowRight: 1, PageUp: -20, PageDown: 20, Home: -n, End: n}[e.key];
    if (move) { show(at < 0 ? (move < 0 && e.key !== 'Home' ? n - 1 : e.key === 'End' ? n - 1 : 0) : at + move); e.preventDefault(); }
  });
  const axis = log ? 'Logarithmic axis. ' : zero ? '' : 'The axis begins at ' + time(least) + ', not at 0. ';
  return {node: el('div', {}, art, readout), axis, show: (step) => show(positionOf(steps, step)), focused: () => document.activeElement === art};
};

export const stepsView = async ({params: [job], query, signal, change}) => {
  const range = {from: query.get('from'), to: query.get('to')};
  const read = () => json(path(job) + '/steps?most=' + MOST + (range.from ? '&from=' + encodeURIComponent(range.from) : '') + (range.to ? '&to=' + encodeURIComponent(range.to) : ''), signal);
  const [said, now, of, known] = await Promise.all([read(), json(path(job), signal), incidentOf(query, signal), json('/incidents?most=1000&job=' + encodeURIComponent(job), signal)]);
  let steps = said.steps, cell = query.get('cell');
  const incident = of?.incident;
  // What costs most in GPU-time comes first, whether it is over or not; the one that was chosen before all.
  const all = known.incidents.filter((i) => i.steps && i.attempt === said.attempt).sort((a, b) => (b.id === incident?.id) - (a.id === incident?.id) || (b.gpuSeconds ?? 0) - (a.gpuSeconds ?? 0)), incidents = all.slice(0, MOST_MARKS);
  const events = (now.observations || []).filter((o) => o.steps && EVENTS.test(o.kind) && o.attempt === said.attempt);
  const apart = steps.length > 1 ? Math.round((steps.at(-1).step - steps[0].step) / (steps.length - 1)) : 1;
  const node = el('div', {}), chartBox = el('div', {});
  let chart = null, waiting = 0;
  const remember = () => change({incident: query.get('incident'), from: range.from, to: range.to, cell});
  const draw = () => {
    chart = stepChart(steps, incidents, events, (step) => { if (String(step) !== cell) { cell = String(step); clearTimeout(waiting); waiting = setTimeout(remember, 300); } });
    chartBox.replaceChildren(chart.node);
  };
  const show = (from) => { range.from = from === null ? null : String(from); range.to = null; remember(); reload(); };
  const reload = async () => { const next = await read().catch(() => null); if (next) { steps = next.steps; draw(); } };
  const newest = now.newestStep ?? (steps.length ? steps.at(-1).step : 0);
  draw();
  const kinds = [...new Set(events.map((e) => eventWord(e.kind)))];
  node.append(crumbs(job, incident, of?.objects, 'steps'), section('steps', 'Step times',
    el('div', {class: 'bar controls'}, 'Steps: ', [100, 1000].map((k) => el('button', {type: 'button', onclick: () => show(Math.max(0, newest - k + 1))}, 'newest ' + count(k))),
      incident?.steps ? el('button', {type: 'button', onclick: () => show(Math.max(0, incident.steps[0] - 50))}, 'around the beginning') : null, el('button', {type: 'button', onclick: () => show(null)}, 'all')),
    chartBox, note('Line: median over the ranks of the length of a step; band: up to the slowest rank. ', chart.axis || '', incidents.length ? 'Dashed lines: where an incident begins; shaded: its steps. ' : '',
      kinds.length ? 'Bars below the axis: ' + kinds.join(', ') + '. ' : '', apart > 1 ? 'One step in ' + apart + ' is shown; spikes between them are not.' : '')),
  incidents.length ? section('marks', all.length > MOST_MARKS ? 'Incidents in this chart: ' + (incident ? 'the one chosen and the most costly, ' : 'the most costly, ') + MOST_MARKS + ' of ' + count(all.length) : 'Incidents in this chart', all.length > MOST_MARKS ? note('Steps of the ', link(['job', job], plural(all.length - MOST_MARKS, 'other')), ' are not marked: a stretch without a mark is not said to be healthy.') : null, el('ol', {}, incidents.map((i) => el('li', {}, link(['incident', i.id], sentence(i.summary)), ' ', el('span', {class: 'note'}, stepText(i.steps[0], i.steps[1])))))) : null ?? '');
  return {
    node, title: 'Step times of ' + safe(job, 60), up: incident ? to('incident', incident.id) : to('job', job), paint: draw,
    attached: () => { if (cell !== null && steps.length) chart.show(Number(cell)); },
    hear: (type, data) => {
      if (type !== 'step' || data.job !== job || range.to || apart > 1 || data.attempt !== said.attempt || (steps.length && data.step.step <= steps.at(-1).step)) return;
      steps = [...steps, data.step].slice(-MOST);
      if (!chart.focused?.() && !chartBox.matches(':hover')) draw();
    },
    close: () => clearTimeout(waiting),
  };
};
