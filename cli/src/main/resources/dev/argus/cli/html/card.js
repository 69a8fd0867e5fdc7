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

const proof = (incident) => {
  const rows = incident.evidence.map((row) => el('tr', {}, el('td', {class: 'n'}, row.valueText), el('td', {}, row.what),
    el('td', {}, row.reference), el('td', {class: 'n'}, row.thresholdText || '\u2013'), el('td', {}, picture(row))));
  const table = el('div', {class: 'scroll'}, el('table', {}, el('thead', {}, el('tr', {}, el('th', {class: 'n'}, 'Value'),
    el('th', {}, 'What was measured'), el('th', {}, 'Compared with'), el('th', {class: 'n'}, 'Threshold'), el('th', {}, ''))),
  el('tbody', {}, rows)));
  return [incident.explanation ? el('p', {}, incident.explanation) : null, rows.length ? table : null,
    incident.evidence.some((row) => row.thresholdText) ? note('Dot: the value; dashed line: the threshold; grey tick: 1.00x, as the reference.') : null,
    incident.evidenceLeftOut ? note(incident.evidenceLeftOut + ' more rows; --format json has them all.') : null,
    incident.concerned.length ? fields(incident.concerned) : null];
};
if (top) add(section('why', 'Why we believe it', ...proof(top)), 'Evidence');
