// One incident: what it is, whether to believe it, what to do, and the way to the levels below.
import {el, fields, note, percent, section, stepText} from './look.js';
import {json, job as path, maybe, objectHref} from './api.js';
import {bytes, confidence, costNow, count, goesOn, gpuTime, lasting, link, millis, moment, plural, safe, sentence, span, to, who} from './words.js';
import {evidence, life} from './evidence.js';
import {apart, readShape} from './shape.js';
import {waitTable} from './waits.js';
import {renew} from './overview.js';
import {findBar} from './find.js';

const LEVELS = {L1: 'step times', L2: 'ranks and phases', L3: 'kernels', L4: 'timelines', L5: 'what the CPU ran'};

// Frames that were recorded beside the steps name a cause without a profile that could be kept.
export const ran = (incident) => incident?.levels?.includes('L5') ? 'recorded frames tell it; ' : '';

/** Links to the levels, at the right place. */
export const levels = (job, incident, objects, here) => {
  const id = incident.id, steps = incident.steps;
  const from = steps ? Math.max(0, steps[0] - Math.max(20, steps[1] - steps[0])) : null;
  const stacks = objects.filter((o) => o.kind === 'stacks').length, timelines = objects.filter((o) => o.kind === 'perfetto' || o.kind === 'timeline').length;
  const all = [
    ['steps', 'L1', 'Step times', ['job', job, 'steps', {incident: id, from}], 'when it began'],
    ['heat', 'L2', 'Ranks by steps', ['job', job, 'heat', {incident: id}], 'which ranks, in which steps'],
    ['kernels', 'L3', 'Kernels', ['job', job, 'kernels', {incident: id}], 'which kernels, how much longer'],
    ['timeline', 'L4', 'Timeline', ['incident', id, 'timeline'], timelines ? 'suspects and peers around it' : incident.state === 'resolved' ? 'no excerpt was kept' : 'no excerpt so far'],
    ['stacks', 'L5', 'Stacks', ['incident', id, 'stacks'], stacks ? 'what the CPU did' : ran(incident) + (incident.state === 'resolved' ? 'no samples were kept' : 'no samples kept so far')],
  ];
  return el('nav', {class: 'levels', 'aria-label': 'Levels'}, all.map(([key, level, word, where, what]) => el('a', {href: to(...where), ...(key === here ? {'aria-current': 'page'} : {})},
    el('span', {class: 'level'}, level), ' ', el('strong', {}, word), el('span', {class: 'note'}, what))));
};

/** The line above a level: of which incident it is shown. */
export const crumbs = (job, incident, objects, here) => el('div', {class: 'crumbs'}, el('p', {}, link([''], 'Overview'), ' \u203a ', job === null ? '' : link(['job', job], safe(job)), incident ? [' \u203a ', link(['incident', incident.id], sentence(incident.summary))] : ''),
  incident ? levels(job, incident, objects || [], here) : null);

/** An incident by the address of a level, or null. */
export const incidentOf = async (query, signal) => query.get('incident') ? maybe('/incidents/' + encodeURIComponent(query.get('incident')), signal) : null;

export const whoList = (i) => i.gpus?.length > 1 ? el('span', {}, who(i), el('details', {}, el('summary', {}, 'each with its GPU'), el('ul', {}, i.gpus.slice(0, 64).map((g) => el('li', {}, who({gpus: [g]}))), i.gpus.length > 64 ? el('li', {}, (i.gpus.length - 64) + ' more') : null))) : who(i);

const costs = (i, now) => {
  const over = i.state === 'resolved', rate = costNow(i.cost.duringRatio, now?.ranks), {cost, all} = lasting(i, now);
  return [...(rate ? [[cost, rate]] : []),
    [all, gpuTime(i.cost.gpuSeconds) + (i.cost.stepRatio > 0 ? ', ' + percent(i.cost.stepRatio) + ' of the time of the job' + (over ? ' until it was over' : '') : '')]];
};

// Until when something is known of it, in milliseconds; 0 where a record does not say.
const lastTold = (i, now) => i.untilEpochNanos ? millis(i.untilEpochNanos) : now?.record ? 0 : goesOn(now) ? Date.now() : now?.heardEpochNanos ? millis(now.heardEpochNanos) : 0;

/** The card of an incident; `now` is its job as it is known, null where nobody watches it, or RECORD. */
export const incidentCard = (job, i, reach, now = null) => el('section', {id: 'card', class: 'card ' + (i.state === 'resolved' ? '' : i.severity === 'critical' ? 'bad' : 'warn')},
  el('h1', {}, sentence(i.summary)),
  i.advice ? el('p', {class: 'sentence'}, el('strong', {}, 'What to do: '), sentence(i.advice)) : null,
  fields([['Who', whoList(i)], ['What', safe(i.kind, 60) + ', ' + (i.severity === 'critical' ? 'critical' : 'warning') + '; seen in ' + ((i.levels || []).map((l) => (LEVELS[l] ? LEVELS[l] + ' (' + l + ')' : safe(l, 10))).join(', ') || 'no level')],
    ['Since', el('span', {}, moment(i.sinceEpochNanos), i.steps ? ', ' + stepText(i.steps[0], i.steps[1]) : '', lastTold(i, now) ? ', ' + span(Math.max(0, (lastTold(i, now) - millis(i.sinceEpochNanos)) / 1000)) : '')],
    ['State', el('span', {}, lasting(i, now).word, i.untilEpochNanos ? i.endedWithJob ? [', which was noticed ', moment(i.untilEpochNanos)] : [' since ', moment(i.untilEpochNanos), ', when the last step that it touched ended'] : null)], ...costs(i, now), ['Confidence', confidence(i.confidence)],
    ...(job ? [['Job', el('span', {}, link(['job', job], safe(job)), ', attempt ' + i.attempt)]] : []), ...(reach ? [['Coverage', reach]] : [])]));

const objectList = (objects, over) => objects.length ? el('ul', {}, objects.map((o) => el('li', {}, el('a', {href: objectHref(o.key), download: ''}, safe(o.key.split('/').at(-1), 120)), ', ' + safe(o.kind, 20) + ', ' + bytes(o.bytes) + ', ', moment(o.createdEpochNanos))))
  : note(over ? 'No timeline and no stacks were kept beside it, and none will come any more.' : 'Nothing is kept beside it so far. An excerpt of the timeline comes some seconds after an incident that accuses ranks, where agents keep a history; stacks, where they sample them.');

const apartList = (found, suspects) => found.length ? section('apart', 'What sets them apart from their peers', el('ul', {}, found.map((f) => el('li', {}, el('strong', {}, f.what + ' ' + safe(f.value, 60)), ': '
  + count(f.suspects) + ' of ' + plural(suspects, 'suspect') + ', ' + count(f.peers) + ' of ' + plural(f.ofPeers, 'peer'))))) : null;

export const incidentView = async ({params: [id], query, signal, say, change}) => {
  const read = () => json('/incidents/' + encodeURIComponent(id), signal);
  const first = await read();
  const job = first.job;
  let jobNow = await maybe(path(job), signal);
  const [shape, waits] = await Promise.all([readShape(jobNow, signal), maybe('/incidents/' + encodeURIComponent(id) + '/waits', signal)]);
  const reach = () => jobNow?.live ? count(jobNow.reporting) + ' of ' + count(jobNow.ranks) + ' ranks report' + (jobNow.silent ? '; silent: ' + safe(jobNow.silentRanks, 60) : '') + (jobNow.gone ? '; ended: ' + safe(jobNow.goneRanks, 60) : '') : 'the job is not watched any more';
  const draw = ({incident, changes, objects}) => {
    const box = el('div', {});
    if (incident) incident.endedWithJob = changes.at(-1)?.change === 'ended';
    if (!incident) {
      box.append(crumbs(job, null), el('section', {class: 'card warn'}, el('h1', {}, 'Of this incident only its life is left'), life(changes)));
      return box;
    }
    const suspects = incident.ranks || [];
    box.append(crumbs(job, null), incidentCard(job, incident, reach(), jobNow), levels(job, incident, objects, ''), section('why', 'Why we believe it', ...evidence(incident)));
    if (shape.known && suspects.length) {
      const found = apart(shape, suspects);
      if (found.length) box.append(apartList(found, suspects.length));
    }
    box.append(section('life', 'Its life', life(changes)));
    if (waits?.waits || incident.steps) box.append(waitTable(waits?.waits, incident, waits?.keptEpochNanos));
    box.append(section('objects', 'Kept beside it', objectList(objects, incident.state === 'resolved')));
    return box;
  };
  const node = el('div', {});
  let shown = draw(first), timer = 0;
  let latest = first;
  const bar = findBar({job, query, signal, change, now: () => jobNow, open: () => latest.incident && latest.incident.state !== 'resolved' ? [latest.incident] : [], incident: () => latest.incident});
  node.append(bar.node, shown);
  const again = async () => {
    timer = 0;
    try {
      const [said, now] = await Promise.all([read(), maybe(path(job), signal)]);
      jobNow = now;
      latest = said;
      const fresh = draw(said);
      const open = [...shown.querySelectorAll('details')].map((d) => d.open);
      fresh.querySelectorAll('details').forEach((d, k) => { d.open = open[k] || false; });
      shown = renew(shown, fresh);
    } catch { /* the state of the connection tells */ }
  };
  const soon = () => { if (!timer) timer = setTimeout(again, 1000); };
  return {
    node, title: first.incident ? sentence(first.incident.summary).slice(0, 80) : 'Incident', up: to(''),
    hear: (type, data) => {
      if (type !== 'incident' || data.id !== id) return;
      say('This incident has ' + (data.change === 'changed' ? 'changed' : 'been ' + safe(data.change, 20)) + '.');
      soon();
    },
    tick: soon, find: bar.focus, attached: bar.begin,
    paint: () => { shown = renew(shown, draw(latest)); soon(); },
    close: () => clearTimeout(timer),
  };
};
