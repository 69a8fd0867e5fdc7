// L3: kernels by their impact, the durations of suspects over the band of their peers, and the distances between ranks.
import {diverging, el, factor, inWords, modePlot, note, section, stepText, time} from './look.js';
import {json, job as path, maybe} from './api.js';
import {count, moment, safe, to, wideTable} from './words.js';
import {crumbs, incidentOf} from './incident.js';

const MOST_ROWS = 60, AROUND = 40;

// How much time of all ranks would be saved if the slowest rank's mean were the median: what it costs at most when others wait for it.
const impact = (k) => k.ranks && k.count && k.maxMeanNanos > k.medianMeanNanos ? (k.maxMeanNanos - k.medianMeanNanos) * k.count / k.ranks : 0;

const ranking = (kernels) => {
  const byName = new Map();
  for (const k of kernels) {
    const key = JSON.stringify([k.kernel, k.peers]), known = byName.get(key);
    if (!known || k.window > known.window) byName.set(key, k);
  }
  // Rows from before peers were known stand for all ranks: where some are told apart these are left out.
  const apart = new Set([...byName.values()].filter((k) => k.peers).map((k) => k.kernel));
  return [...byName.values()].filter((k) => k.peers || !apart.has(k.kernel)).sort((a, b) => impact(b) - impact(a) || b.sumNanos - a.sumNanos);
};

const table = (kernels) => {
  const apart = kernels.some((k) => k.peers);
  return wideTable([['kernel'], ...(apart ? [['among']] : []), ...['slowest rank', 'its mean', 'median of its peers', 'longer', 'in a window', 'time of these ranks', 'launches', 'ranks'].map((h) => [h, 'n'])],
  kernels.slice(0, MOST_ROWS).map((k) => {
    const ratio = k.maxMeanNanos / k.medianMeanNanos;
    return el('tr', {}, el('td', {class: 'kernel', title: safe(k.kernel, 1000)}, safe(k.kernel, 90)), apart ? el('td', {}, safe(k.peers || 'all ranks', 40)) : null, el('td', {class: 'n'}, k.maxRank === null ? '\u2013' : String(k.maxRank)), el('td', {class: 'n'}, time(k.maxMeanNanos ?? NaN)), el('td', {class: 'n'}, time(k.medianMeanNanos ?? NaN)),
      el('td', {class: 'n' + (ratio >= 1.1 ? ' suspect' : '')}, Number.isFinite(ratio) ? factor(ratio) : '\u2013'), el('td', {class: 'n'}, '+' + time(impact(k))), el('td', {class: 'n'}, time(k.sumNanos ?? NaN)), el('td', {class: 'n'}, count(k.count)), el('td', {class: 'n'}, count(k.ranks)));
  }));
};

const modes = (p) => ({name: safe(p.kernel), low: p.lowNanos, high: p.highNanos, band: [p.peerLow, p.peerMid, p.peerHigh], curves: p.curves.map((c) => [c.rank, c.share]),
  ranks: p.ranks.map((r) => [r.rank, r.suspect, r.count, r.meanNanos, r.signedRatio, r.movedRatio ?? NaN, r.modeRatio ?? NaN])});

/** Signed W1 distances: kernels by ranks, which are put beside others of their host so that blocks show. */
const matrix = (pictures) => {
  const list = pictures.map(modes);
  const ranks = [...new Map(list.flatMap((k) => k.ranks.map((r) => [r[0], r[1]])))].sort((a, b) => b[1] - a[1] || a[0] - b[0]);
  const most = list.flatMap((k) => k.ranks).reduce((a, r) => Math.max(a, Math.abs(r[4] || 0)), 0.1), colour = diverging();
  return el('div', {class: 'scroll'}, el('table', {class: 'tight w1'}, el('thead', {}, el('tr', {}, el('th', {}, 'kernel \\ rank'), ranks.map(([rank, suspect]) => el('th', {class: 'n' + (suspect ? ' suspect' : '')}, (suspect ? '\u25b6' : '') + rank)))),
    el('tbody', {}, list.map((k) => el('tr', {}, el('td', {class: 'kernel'}, k.name), ranks.map(([rank]) => {
      const member = k.ranks.find((r) => r[0] === rank);
      const td = el('td', {class: 'n', title: member ? 'rank ' + rank + ': ' + inWords(member) + '; ' + count(member[2]) + ' launches, mean ' + time(member[3]) : 'not run'},
        member && member[4] !== null ? (100 * member[4]).toFixed(Math.abs(member[4]) < 0.1 ? 1 : 0).replace(/^-(0\.0)$/, '$1').replace('-', '\u2212') : '\u2013');
      if (member && member[4] !== null) td.style.background = colour(0.5 + 0.32 * member[4] / most);
      return td;
    }))))));
};

export const kernelsView = async ({params: [job], query, signal}) => {
  const now = await json(path(job), signal);
  const of = await incidentOf(query, signal), steps = of?.incident?.steps;
  // Of an incident the windows around its steps, of one that lasts the newest of them; without one the newest.
  const least = !steps ? now.newestStep : of.incident.state === 'resolved' ? steps[0] : steps[1], from = Math.max(0, (least ?? 0) - AROUND);
  const range = '&from=' + from + (steps ? '&to=' + steps[1] + (of.incident.attempt >= 0 ? '&attempt=' + of.incident.attempt : '') : '');
  const incident = of?.incident;
  const [said, shown] = await Promise.all([json(path(job) + '/kernels?most=2000' + range, signal), incident ? maybe('/incidents/' + encodeURIComponent(incident.id) + '/kernels', signal) : now.live ? maybe(path(job) + '/kernels/pictures?most=20', signal) : null]);
  const pictures = shown?.pictures || [], kept = shown?.keptEpochNanos;
  const node = el('div', {});
  const draw = () => {
    const groups = [...new Set(pictures.map((p) => p.incident))];
    node.replaceChildren(crumbs(job, incident, of?.objects, 'kernels'),
      section('pictures', 'Suspects over the band of their peers', ...(groups.length ? groups.flatMap((id) => {
        const list = pictures.filter((p) => p.incident === id).slice(0, 9);
        return [note(list[0].concerned ? 'Kernels that the incident names. ' : 'The incident names no kernel; these cost the suspect most. ', 'Signed W1 distance to the peers\u2019 centre, in % of its mean: above 0 is longer. ',
          list[0].steps ? list[0].stepsLooked + ' of ' + stepText(list[0].steps[0], list[0].steps[1]) + ' were looked at.' : '', kept ? [' Kept with the incident, as of ', moment(kept), '.'] : null), matrix(list), el('div', {class: 'plots'}, list.map((p) => modePlot(modes(p))))];
      }) : [note(incident ? 'Kernels say nothing about this incident, or no window of them was recorded in its steps. That a rank waits, stalls or moves data slowly does not show in the durations of its kernels.' : 'No open incident is about kernels: there is no suspect to draw over its peers.')])),
      section('ranking', steps ? 'All kernels by impact, in the last window of each that began in ' + stepText(from, steps[1]) : 'Kernels by impact, in the newest window of each', said.kernels.length ? table(ranking(said.kernels)) : note((steps ? 'No window of kernels that begins around the ' + stepText(...steps) + ' of this incident is kept.' : 'No kernels are recorded.') + ' Steps and phases come from the framework; kernels need the CUPTI producer.'),
        note(steps ? 'From the last window of each that began in ' + stepText(from, steps[1]) + ', around this incident. ' : 'From the newest window of each. ', 'By how much longer the slowest rank spends in a kernel in a window than the median of those who do the same work: at most so much can be won. Stages run other shapes under one name, and each has a line of its own where they are known: the table shows where to look, the pictures show all durations.')));
  };
  draw();
  return {node, title: 'Kernels of ' + safe(job, 60), up: incident ? to('incident', incident.id) : to('job', job), paint: draw};
};
