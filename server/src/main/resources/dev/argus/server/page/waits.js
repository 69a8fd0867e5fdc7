// Who waited for whom: late ranks by who waited.
import {dark, el, note, section, sequential, stepText, three} from './look.js';
import {json, job as path, maybe} from './api.js';
import {moment, plural, safe, to} from './words.js';
import {crumbs, incidentOf} from './incident.js';
import {accusedNow} from './heatstart.js';
import {readShape} from './shape.js';

/** The ledger as a matrix: of the newest steps of a job, or of an incident's; `said` is the answer of the server, or null; `open` are ranks that open incidents accuse. */
export const waitTable = (said, incident, kept, open = new Set()) => {
  const title = 'Who made whom wait';
  if (!said || !said.rows.length) {
    return section('waits', title, note(said?.steps ? 'In ' + plural(said.stepsLooked, 'step') + (incident ? ' of the incident' : '') + ' no wait was found: no collectives could be matched across ranks, or all ranks came together.'
      : incident ? 'Not known: no step of this incident was judged while it was in memory.' : 'Not known: the job is not watched now, or no step of it has been judged yet.'));
  }
  const isAccused = (row) => row.accused || open.has(row.rank), accused = said.rows.some(isAccused), suspects = incident?.ranks?.length, steps = incident?.steps;
  const some = steps && said.steps[1] - said.steps[0] < steps[1] - steps[0] ? ' These are not all of the ' + stepText(...steps) + ' of the incident.' : '';
  const single = said.rows.filter((r) => r.rank !== null);
  const most = (single.length ? single : said.rows).reduce((a, r) => Math.max(a, ...r.nanos), 1);
  const small = most < 1e9, unit = small ? 1e6 : 1e9;
  const decimals = Math.min(3, Math.max(0, 3 - Math.floor(Math.log10(most / unit) + 1e-9)));
  const amount = (nanos) => nanos > 0 && nanos / unit < 0.5 * 10 ** -decimals ? '< ' + (10 ** -decimals)
    : (nanos / unit).toLocaleString('en', {minimumFractionDigits: decimals, maximumFractionDigits: decimals});
  const ranksOnly = said.columns.every((c) => c.startsWith('rank '));
  const colour = sequential(), sum = (list) => list.reduce((a, b) => a + b, 0);
  const cell = (nanos) => {
    const td = el('td', {class: 'n'}, nanos ? amount(nanos) : '\u2013');
    if (nanos) td.style.background = colour((dark() ? 0.33 : 0.45) * Math.min(1, nanos / most));
    return td;
  };
  const body = said.rows.map((row) => el('tr', {}, el('th', {class: 'rank' + (isAccused(row) ? ' suspect' : '')}, (isAccused(row) ? '\u25b6 ' : '') + safe(row.late, 40)), row.nanos.map(cell), el('td', {class: 'n'}, amount(sum(row.nanos)))));
  return section('waits', title, el('p', {}, 'In ' + (incident ? plural(said.stepsLooked, 'step') + ' of the incident' : 'the newest ' + plural(said.stepsLooked, 'step')) + ' (' + said.steps[0].toLocaleString('en') + ' to ' + said.steps[1].toLocaleString('en') + ') ranks spent ' + three(said.totalNanos / 1e9)
    + ' GPU-seconds waiting in collectives, with no compute to cover it. Rows: who came last; columns: who waited. Cells are in GPU-' + (small ? 'milliseconds' : 'seconds') + '.' + some, kept ? [' Kept with the incident, as of ', moment(kept), '.'] : null,
    suspects && !accused ? ' None of the accused ranks came last here: whoever is behind a slow link, or waits elsewhere, makes nobody wait by coming late.' : ''),
  el('div', {class: 'scroll'}, el('table', {class: 'tight'}, el('thead', {}, el('tr', {}, el('th', {}, ranksOnly ? 'late \\ waiting rank' : 'late \\ waiting'), said.columns.map((c) => el('th', {class: 'n'}, ranksOnly ? c.slice(5) : safe(c, 40))), el('th', {class: 'n'}, 'sum'))),
    el('tbody', {}, body, el('tr', {class: 'sum'}, el('th', {}, 'sum'), said.columns.map((_, c) => el('td', {class: 'n'}, amount(sum(said.rows.map((r) => r.nanos[c]))))), el('td', {class: 'n'}, amount(said.totalNanos)))))),
  note('The last to come may itself have waited elsewhere. Where several came last together, within 20 us, no single rank is named. Waits are not losses: some waiting is in every job, in pipelines it is bubbles. Only collectives in which all wait for the last are counted.',
    accused ? (incident ? ' \u25b6: accused by the incident; these rows come first, and who else came last is not thereby accused.' : ' \u25b6: accused by an open incident; who else came last is not thereby accused.') : incident ? ' Who came last is not thereby accused.' : ''));
};

export const waitsView = async ({params: [job], query, signal}) => {
  const [now, of] = await Promise.all([json(path(job), signal), incidentOf(query, signal)]);
  const shape = await readShape(now, signal);
  const incident = of?.incident, found = incident ? await maybe('/incidents/' + encodeURIComponent(incident.id) + '/waits', signal) : null;
  const said = incident ? found?.waits : now.live ? await json(path(job) + '/waits', signal) : null;
  const node = el('div', {});
  const draw = () => node.replaceChildren(crumbs(job, incident, of?.objects, 'waits'), waitTable(said, incident, found?.keptEpochNanos, incident ? undefined : accusedNow(now, shape)));
  draw();
  return {node, title: 'Waits of ' + safe(job, 60), up: incident ? to('incident', incident.id) : to('job', job), paint: draw};
};
