const stopped = data.incidents.filter((i) => i.members.length);
if (stopped.length) add(whoIsMissing(stopped), 'Missing');

// ---- attempts

const attempts = data.attempts;
let current = Math.max(0, attempts.findIndex((a) => top && a.attempt === top.attempt));
if (!top || attempts.every((a) => a.attempt !== top.attempt)) current = attempts.length - 1;
const measured = el('div', {});

const showAttempt = () => {
  repaint.length = attached.length = 0;
  const a = attempts[current];
  measured.replaceChildren(stepChart(a), heatMap(a), ledger(a), kernels(a));
  attached.forEach((draw) => draw());
};
if (attempts.length) {
  if (attempts.length > 1) {
    const buttons = attempts.map((a, i) => el('button', {type: 'button', 'aria-pressed': i === current, onclick: () => {
      current = i;
      buttons.forEach((b, k) => b.setAttribute('aria-pressed', k === i));
      showAttempt();
    }}, 'Attempt ' + a.attempt));
    page.append(el('div', {class: 'bar controls', id: 'attempts'}, 'Measured in', buttons, data.attemptsLeftOut ? el('span', {class: 'note'}, data.attemptsLeftOut + ' older attempts are not shown') : null));
  }
  page.append(measured);
  for (const [id, label] of [['steps', 'Step times'], ['heat', 'Ranks by steps'], ['waits', 'Waits'], ['kernels', 'Kernels']]) links.push(el('a', {href: '#' + id}, label));
  showAttempt();
} else {
  page.append(section('steps', 'What was measured', note(stopped.length
    ? 'No steps: a flight record tells how far each rank came, not how long it took.' : 'Nothing: there were no steps to measure.')));
}

// ---- where the lost time went

const brief = (incident, number) => el('details', {}, el('summary', {}, el('span', {class: 'kind'}, (number ? number + '. ' : '') + incident.kind), ', ' + incident.who
  + (incident.first >= 0 ? '; ' + stepText(incident.first, incident.last) : '') + (incident.costRatio > 0 ? '; ' + percent(incident.costRatio) : '')),
el('p', {}, incident.summary), fields(incident.fields), ...proof(incident));
const all = data.incidents.map((i, k) => [i, k + 1]).concat(data.observations.map((i) => [i, 0]));
if (data.analysed && (all.length || data.unattributed > 0)) {
  const priced = all.filter(([i]) => i.costRatio > 0);
  const row = ([i, number]) => el('tr', {}, el('td', {}, (number ? number + '. ' : 'observation: ') + i.kind + ', ' + i.who),
    el('td', {class: 'n'}, (i.atMost ? 'at most ' : '') + percent(i.costRatio)), el('td', {class: 'n'}, three(i.gpuSeconds)));
  const acted = priced.filter(([, number]) => number), seen = priced.filter(([, number]) => !number);
  const sum = (list, key) => list.reduce((a, [i]) => a + i[key], 0);
  const unknown = data.incidents.length > 0 && !acted.length; // a hang: no step of it was recorded
  const rows = acted.map(row);
  rows.push(el('tr', {class: 'sum'}, el('td', {}, data.incidentsLeftOut ? 'incidents shown, together' : 'incidents together'),
    el('td', {class: 'n'}, unknown ? 'unknown' : (acted.some(([i]) => i.atMost) ? 'at most ' : '') + percent(sum(acted, 'costRatio'))),
    el('td', {class: 'n'}, unknown ? 'unknown' : three(sum(acted, 'gpuSeconds')))));
  rows.push(...seen.map(row));
  rows.push(el('tr', {}, el('td', {}, 'lost without a cause that the data could show'), el('td', {class: 'n'}, unknown ? 'unknown' : percent(data.unattributed || 0)), el('td', {class: 'n'}, '')));
  add(section('losses', 'Where the lost time went', el('div', {class: 'scroll'}, el('table', {}, el('thead', {}, el('tr', {}, el('th', {}, 'what'),
    el('th', {class: 'n'}, 'of the job\u2019s time'), el('th', {class: 'n'}, 'GPU-seconds'))), el('tbody', {}, rows))),
    note('No step time is claimed twice by incidents. Observations need no action; a lasting one, such as uneven stages, is priced against an even job.')), 'Losses');
}
if (data.incidents.length > 1) {
  add(section('incidents', 'All incidents', data.incidents.map((i, k) => brief(i, k + 1)),
    data.incidentsLeftOut ? note(data.incidentsLeftOut + ' more; --format json has them all.') : null), 'Incidents');
}
if (data.observations.length) {
  add(section('observations', 'Observations: explain slowness, are no incidents', data.observations.map((i) => brief(i, 0)),
    data.observationsLeftOut ? note(data.observationsLeftOut + ' more; --format json has them all.') : null), 'Observations');
}
if (data.problems.length) add(section('quality', 'Data quality', list(data.problems)), 'Data');
const checks = data.looked.concat(data.checked);
if ((top || !data.analysed) && checks.length) add(section('checked', 'What was checked, and what could not be', list(checks)), 'Checks');
if (data.explain.length) add(section('explain', 'Rules and thresholds', list(data.explain)), 'Rules');
page.append(el('p', {class: 'note'}, 'This page is one file: it loads nothing and sends nothing. Its size is bounded: at most 256 rows by 128 columns of cells, 800 steps in the chart, 10 late ranks, 32 ranks a kernel, 4 attempts; '
  + 'what is more is folded, and a fold keeps its largest value. argus diagnose --format json is the form for programs.'));
nav.append(...links);

// ---- size and paper

let width = innerWidth;
addEventListener('resize', () => {
  if (innerWidth === width) return;
  const redraw = roomFor(1120) !== Math.max(280, Math.min(1120, width - 60));
  width = innerWidth;
  if (redraw && attempts.length) showAttempt();
  else repaint.forEach((paint) => paint());
});
let before = null;
addEventListener('beforeprint', () => {
  before = root.getAttribute('data-theme');
  document.querySelectorAll('details').forEach((d) => { d.open = true; });
  setTheme('light');
});
addEventListener('afterprint', () => { if (before) setTheme(before); });
