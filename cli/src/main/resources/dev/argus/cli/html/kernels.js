// ---- kernels

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
    el('div', {class: 'plots'}, list.map((k) => modePlot({...k, band: k.band.map(floats), curves: k.curves.map(([rank, share]) => [rank, floats(share)])})))];
  }), note('Band: the middle four fifths of the peers; of fewer than five, all of them. From summaries, each within its stated bound.'));
};
