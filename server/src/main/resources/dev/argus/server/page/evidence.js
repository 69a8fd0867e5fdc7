// Why an incident is believed: its proof as a table, and its life.
import {el, fields, note, percent, picture} from './look.js';
import {compact, confidence, gpuTime, long, moment, rankText, safe, sentence, stateWord, wideTable, withUnit} from './words.js';

const MOST_ROWS = 20;

export const evidence = (incident) => {
  const rows = incident.evidence.slice(0, MOST_ROWS).map((row) => {
    const number = (v) => v === null ? NaN : v;
    const shown = {value: number(row.value), threshold: number(row.threshold), isRatio: row.unit === 'x', valueText: withUnit(number(row.value), row.unit), thresholdText: row.threshold === null ? '' : withUnit(row.threshold, row.unit)};
    return el('tr', {}, el('td', {class: 'n'}, shown.valueText), el('td', {class: 'words'}, long(safe(compact(row.what), 1000))), el('td', {class: 'words'}, long(safe(compact(row.reference), 1000))), el('td', {class: 'n'}, shown.thresholdText || '\u2013'), el('td', {}, picture(shown)));
  });
  return [incident.explanation ? el('p', {}, sentence(compact(incident.explanation))) : null,
    rows.length ? wideTable([['Value', 'n'], ['What was measured'], ['Compared with'], ['Threshold', 'n'], ['']], rows) : note('No rows of proof came with it.'),
    incident.evidence.some((row) => row.threshold !== null) ? note('Dot: the value; dashed line: the threshold; grey tick: 1.00x, as the reference.') : null,
    incident.evidence.length > MOST_ROWS ? note((incident.evidence.length - MOST_ROWS) + ' more rows are in the API.') : null,
    incident.kernels?.length ? fields([['Kernels', el('span', {class: 'kernel'}, incident.kernels.slice(0, 6).map((k) => safe(k)).join(', ') + (incident.kernels.length > 6 ? ' and ' + (incident.kernels.length - 6) + ' more' : ''))],
      ['Direction', incident.direction === 'longer' ? 'longer than on peers' : incident.direction === 'shorter' ? 'shorter than on peers' : 'not said']]) : null,
    incident.groups?.length ? fields([['Groups', long(incident.groups.slice(0, 64).map((g) => safe(g.dimension, 20) + ' ' + rankText(g.ranks, 1000)).join('; ') + (incident.groups.length > 64 ? ' and ' + (incident.groups.length - 64) + ' more' : ''))]]) : null];
};

const CHANGES = {opened: 'Noticed', changed: 'Changed', resolved: 'Said to be over', withdrawn: 'Withdrawn', ended: 'Ended with its attempt'};
// What is noticed is noticed after it happened: how long after is said.
const when = (c) => c.change === 'opened' && c.sinceEpochNanos ? ['began ', moment(c.sinceEpochNanos), '; ']
  : c.change === 'resolved' && c.untilEpochNanos ? ['its last step ended ', moment(c.untilEpochNanos), '; some steps without it were waited for; '] : null;

export const life = (changes) => !changes.length ? note('It has begun just now; its life is written down with the next checkpoint, some seconds later.')
  : el('ol', {class: 'life'}, changes.slice(-40).map((c) => el('li', {class: 'change-' + (CHANGES[c.change] ? c.change : 'changed')}, moment(c.atEpochNanos), ' ', el('strong', {}, CHANGES[c.change] || safe(c.change, 20)), ': ', sentence(c.summary),
    el('div', {class: 'note'}, when(c), stateWord(c.state) + ', ' + confidence(c.confidence) + (c.duringRatio > 0 ? ', ' + percent(c.duringRatio) + ' of the step time while it ' + (c.state === 'resolved' ? 'lasted' : 'lasts') : '') + ', lost by then: ' + gpuTime(c.gpuSeconds)))));
