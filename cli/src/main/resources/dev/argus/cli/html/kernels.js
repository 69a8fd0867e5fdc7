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
