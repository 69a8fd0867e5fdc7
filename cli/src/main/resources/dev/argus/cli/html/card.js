// ---- top bar and card

const setTheme = (name) => {
  root.setAttribute('data-theme', name);
  repaint.forEach((paint) => paint());
};
const prefers = matchMedia('(prefers-color-scheme: dark)');
let chosen = null;
root.setAttribute('data-theme', prefers.matches ? 'dark' : 'light');
prefers.addEventListener('change', () => { if (chosen === null) setTheme(prefers.matches ? 'dark' : 'light'); });
const switchTheme = el('button', {type: 'button', onclick: () => {
  chosen = dark() ? 'light' : 'dark';
  setTheme(chosen);
}}, 'Light / dark');

const links = [];
const add = (node, label) => {
  page.append(node);
  if (label) links.push(el('a', {href: '#' + node.id}, label));
};
const nav = el('nav', {'aria-label': 'Parts of this page'});
page.append(el('div', {class: 'bar'}, el('strong', {}, 'ARGUS'), nav, el('span', {class: 'grow'}),
  el('span', {class: 'controls'}, switchTheme)));

const top = data.incidents[0];
const card = el('section', {id: 'card', class: 'card ' + data.tone}, el('h1', {}, data.headline),
  el('p', {class: 'sentence'}, data.sentence), fields([...(top ? top.fields : []), ...data.about]));
const list = (lines) => el('ul', {}, lines.map((line) => el('li', {}, line)));
if (!top && data.analysed) {
  card.append(el('h3', {}, 'What was checked, and what could not be'), list(data.looked.concat(data.checked)));
}
add(card, 'Verdict');

// ---- evidence

const picture = (row) => {
  if (!Number.isFinite(row.value) || !Number.isFinite(row.threshold)) return '';
  const most = 1.15 * Math.max(Math.abs(row.value), Math.abs(row.threshold), row.isRatio ? 1 : 0) || 1;
  const least = Math.min(0, 1.15 * row.value, 1.15 * row.threshold);
  const x = (v) => 6 + 148 * (v - least) / (most - least);
  const art = svg('svg', {class: 'small', width: 160, height: 22, viewBox: '0 0 160 22', role: 'img',
    'aria-label': row.valueText + ', threshold ' + row.thresholdText});
  art.append(svg('line', {class: 'axis', x1: 6, x2: 154, y1: 11, y2: 11}));
  if (row.isRatio) art.append(svg('line', {class: 'cross', x1: x(1), x2: x(1), y1: 6, y2: 16}));
  art.append(svg('line', {class: 'change', x1: x(row.threshold), x2: x(row.threshold), y1: 2, y2: 20}));
  art.append(svg('circle', {class: 'dot', cx: x(row.value), cy: 11, r: 5}));
  return art;
};
const proof = (incident) => {
  const rows = incident.evidence.map((row) => el('tr', {}, el('td', {class: 'n'}, row.valueText), el('td', {}, row.what),
    el('td', {}, row.reference), el('td', {class: 'n'}, row.thresholdText || '\u2013'), el('td', {}, picture(row))));
  const table = el('div', {class: 'scroll'}, el('table', {}, el('thead', {}, el('tr', {}, el('th', {class: 'n'}, 'Value'),
    el('th', {}, 'What was measured'), el('th', {}, 'Compared with'), el('th', {class: 'n'}, 'Threshold'), el('th', {}, ''))),
  el('tbody', {}, rows)));
  return [incident.explanation ? el('p', {}, incident.explanation) : null, rows.length ? table : null,
    rows.length ? note('Dot: the value; dashed line: the threshold; grey tick: 1.00x, as the reference.') : null,
    incident.evidenceLeftOut ? note(incident.evidenceLeftOut + ' more rows; --format json has them all.') : null,
    incident.concerned.length ? fields(incident.concerned) : null];
};
if (top) add(section('why', 'Why we believe it', ...proof(top)), 'Evidence');
