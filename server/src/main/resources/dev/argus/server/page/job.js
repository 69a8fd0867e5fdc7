// One job: its state, what is wrong with it, and the way to its levels.
import {el, factor, fields, note, percent, section, time} from './look.js';
import {json, job as path} from './api.js';
import {ago, bytes, count, goesOn, gpuTime, link, moment, plural, safe, sentence, to, tooOld, wideTable} from './words.js';
import {incidentList, jobState, renew} from './overview.js';
import {stepChart} from './steps.js';
import {findBar} from './find.js';

const agents = (list) => wideTable(['host', 'ranks', 'heard', 'clock ahead', 'CPU of a core', 'memory', 'job slower by'].map((h, k) => [h, k > 1 ? 'n' : '']),
  list.slice(0, 500).map((a) => el('tr', {}, el('td', {}, safe(a.host, 60)), el('td', {}, safe(a.ranks, 60)), el('td', {class: 'n'}, ago(a.heardEpochNanos)), el('td', {class: 'n'}, (a.clockNanos < 0 ? '\u2212' : '') + time(Math.abs(a.clockNanos))),
    el('td', {class: 'n'}, a.cpuRatio === null ? 'unknown' : percent(a.cpuRatio)), el('td', {class: 'n'}, a.memoryBytes === null ? 'unknown' : bytes(a.memoryBytes)), el('td', {class: 'n'}, a.slowerRatio === null ? 'not measured' : percent(a.slowerRatio)))), {class: 'tight'});

const phaseName = (phase) => phase === 'outside' ? 'outside phases' : safe(phase, 60).replaceAll('_', ' ');

// What no phase covers is known of ranks that record phases alone.
const outsideNote = (j) => {
  const outside = j.lastPhases.find((p) => p.phase === 'outside');
  return !outside ? null : note('Outside phases: time of the step that no phase covers. ', outside.ranks < j.ranks ? 'Known of ' + count(outside.ranks) + ' of ' + plural(j.ranks, 'rank') + '; the others recorded no phases. ' : '', link(['job', j.job, 'heat', {show: 'outside'}], 'By ranks and steps'), '.');
};

export const jobView = async ({params: [name], query, signal, say, change}) => {
  const read = () => Promise.all([json(path(name), signal), json(path(name) + '/steps?most=400', signal), json('/incidents?most=200&job=' + encodeURIComponent(name), signal)]);
  let steps = [];
  const draw = ([j, said, {incidents}]) => {
    steps = said.steps;
    const box = el('div', {});
    const open = incidents.filter((i) => i.state !== 'resolved'), until = incidents.filter((i) => i.endedWithJob && j.ended && i.attempt === j.attempt), over = incidents.filter((i) => i.state === 'resolved' && !until.includes(i));
    const [tone, word] = jobState(j, open), seen = j.observations || [];
    box.append(el('div', {class: 'crumbs'}, el('p', {}, link([''], 'Overview'))), el('section', {id: 'card', class: 'card ' + tone}, el('h1', {}, safe(name) + ': ' + word),
      j.live ? null : el('p', {}, 'What is shown is what was kept of it.'), tooOld(j) ? el('p', {}, 'Is the network up, do its agents run? What is shown is of ', moment(j.heardEpochNanos), '.') : null,
      fields([['Coverage', count(j.reporting) + ' of ' + plural(j.ranks, 'rank') + ' report' + (j.silentRanks ? '; silent: ' + safe(j.silentRanks, 60) : '') + (j.goneRanks ? '; ended: ' + safe(j.goneRanks, 60) : '')], ...(j.ended ? [['Ended', sentence(j.ending)]] : []),
        ['Layout', (j.hosts === null ? 'unknown' : plural(j.hosts, 'host')) + (j.topology ? ', ' + safe(j.topology, 60) : ', no parallel layout known')], ['Attempt', j.attempt === null ? 'unknown' : String(j.attempt)],
        ['Step', j.newestStep === null ? 'none has ended yet' : count(j.newestStep) + (goesOn(j) ? '' : j.ended ? ', its last' : ', the last that was heard') + (j.lastNanos ? ', ' + time(j.lastNanos) + (goesOn(j) && j.usualNanos ? ', ' + factor(j.lastNanos / j.usualNanos) + ' the usual ' + time(j.usualNanos) : '') : '')],
        ['Lost so far', j.lostGpuSeconds === null ? 'unknown' : gpuTime(j.lostGpuSeconds)], ['Heard', el('span', {}, moment(j.heardEpochNanos), j.lagNanos > 2e9 ? ', what waits to be judged is ' + time(j.lagNanos) + ' old' : '')]])));
    box.append(el('nav', {class: 'levels', 'aria-label': 'Levels'}, [['steps', 'L1', 'Step times', 'when it changed'], ['heat', 'L2', 'Ranks by steps', 'who is slow, and when'], ['waits', 'L2', 'Waits', 'who made whom wait'], ['kernels', 'L3', 'Kernels', 'which kernels']]
      .map(([key, level, text, what]) => el('a', {href: to('job', name, key)}, el('span', {class: 'level'}, level), ' ', el('strong', {}, text), el('span', {class: 'note'}, what)))));
    box.append(section('incidents', 'Open incidents, those that cost most now first', incidentList(open, false, !j.live ? 'The job is not watched any more.' : j.ended ? 'The job has ended.' : 'None is open.', [j]),
      until.length ? [el('h3', {}, 'Going on when the job ended: ' + plural(until.length, 'incident')), incidentList(until.slice(0, 50), false, '', [j])] : null,
      over.length ? el('details', {}, el('summary', {}, 'Over: ' + plural(over.length, 'incident')), incidentList(over.slice(0, 50), false, '', [j])) : null));
    box.append(section('chart', 'Step times', steps.length ? stepChart(steps, [...open, ...until].filter((i) => i.steps).slice(0, 9), seen.filter((o) => o.steps)).node : note('No step is written down yet; that is done with the next checkpoint, some seconds after the first step.')));
    if (j.lastPhases?.length) {
      box.append(section('phases', goesOn(j) ? 'Phases of the newest step' : 'Phases of the last step that was seen', wideTable([['phase'], ['on most ranks', 'n'], ['slowest', 'n'], ['rank', 'n'], ['of ranks', 'n']],
        j.lastPhases.slice(0, 40).map((p) => el('tr', {}, el('td', {}, phaseName(p.phase)), el('td', {class: 'n'}, p.ranks > 2 ? time(p.medianNanos ?? NaN) : '\u2013'), el('td', {class: 'n'}, time(p.maxNanos ?? NaN)), el('td', {class: 'n'}, p.maxRank === null ? '\u2013' : String(p.maxRank)), el('td', {class: 'n'}, count(p.ranks))))),
      note('A phase holds the waits for other ranks within it: it is long on those who wait, not only on who is slow. It is time of the CPU: where that waits for its own GPU a phase is long, too, such as the optimizer\u2019s, which often comes before the first wait for the GPU.'), j.lastPhases.some((p) => p.ranks <= 2) ? note('Where one rank or two ran a phase there are no most: only the slowest is said.') : null, outsideNote(j)));
    }
    if (seen.length) box.append(section('observations', 'Observations: explain slowness, need no action', el('ul', {}, seen.slice(0, 40).map((o) => el('li', {}, el('strong', {}, safe(o.kind, 40)), ': ', sentence(o.summary))))));
    const gaps = [...(j.notes || []).map((n) => sentence(n)), ...(j.losses || []).map((l) => plural(l.count, 'record') + ' missing: ' + safe(l.reason, 60))];
    if (gaps.length) box.append(section('quality', 'What is missing or contradictory', el('ul', {}, gaps.slice(0, 60).map((g) => el('li', {}, g)))));
    if (j.agents?.length) box.append(el('section', {id: 'agents'}, el('details', {}, el('summary', {}, 'Agents: ' + plural(j.agents.length, 'host')), agents(j.agents))));
    return box;
  };
  let data = await read(), shown = draw(data), timer = 0, last = Date.now();
  const bar = findBar({job: name, query, signal, change, now: () => data[0], open: () => data[2].incidents.filter((i) => i.state !== 'resolved'), incident: () => null});
  const node = el('div', {}, bar.node, shown);
  const redraw = () => {
    const fresh = draw(data), open = new Set([...shown.querySelectorAll('details')].filter((d) => d.open).map((d) => d.parentNode.id));
    fresh.querySelectorAll('details').forEach((d) => { d.open = open.has(d.parentNode.id); });
    if (shown.querySelector('#chart')?.matches(':hover, :focus-within')) fresh.querySelector('#chart')?.replaceWith(shown.querySelector('#chart'));
    shown = renew(shown, fresh);
  };
  const again = async () => {
    timer = 0;
    last = Date.now();
    try { data = await read(); redraw(); } catch { /* the state of the connection tells */ }
  };
  const soon = () => { if (!timer) timer = setTimeout(again, Math.max(0, 1000 - (Date.now() - last))); };
  return {
    node, title: safe(name, 60), up: to(''), paint: redraw, tick: soon, find: bar.focus, attached: bar.begin,
    hear: (type, heard) => {
      if (heard.job !== name) return;
      if (type === 'incident' && heard.change === 'opened' && heard.incident) say('New incident: ' + sentence(heard.incident.summary));
      soon();
    },
    close: () => clearTimeout(timer),
  };
};
