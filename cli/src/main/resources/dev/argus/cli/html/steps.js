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
  const W = roomFor(1120), H = 260, left = 64, right = 12, topEdge = 30, bottom = 44;
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
  const every = Math.max(1, Math.ceil(n / (W / 80)));
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
