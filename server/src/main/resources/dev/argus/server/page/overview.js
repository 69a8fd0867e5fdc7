// Is something wrong, and what does it cost? All jobs, and what is open, most costly now first.
import {el, factor, note, time} from './look.js';
import {json} from './api.js';
import {ago, confidence, costNow, count, goesOn, gpuTime, lasting, link, moment, plural, safe, sentence, tooOld, who, wideTable} from './words.js';

// Ranks that say nothing: those not heard, those that steps do not wait for any more, and, once steps end, those that were never heard; and those whose processes are gone from a job that goes on.
const missing = (j) => j.ended ? 0 : Math.max((j.silent || 0) + (j.gone || 0), j.newestStep === null ? 0 : j.ranks - j.reporting);
const silence = (j) => (missing(j) >= j.ranks ? 'all ' : '') + plural(missing(j), 'rank') + (j.gone && j.gone >= missing(j) ? ' ended' : j.gone ? ' silent or ended' : ' silent');

/** State of a job: a word, and a sign for eyes that see no colour. `open` are its incidents that are open. */
export const jobState = (j, open) => !j.live ? ['ended', '\u25a1 not watched any more'] : j.ended ? [j.saidEnd ? 'ended' : 'warn', '\u25a1 ended' + (j.saidEnd ? '' : ': ' + safe(j.ending, 120))] : tooOld(j) ? ['warn', '? nothing heard for ' + ago(j.heardEpochNanos).replace(' ago', '')]
  : j.standing ? ['bad', '\u2715 stands still'] : open.length ? [worst(open), '! ' + plural(open.length, 'incident') + (missing(j) ? ', ' + silence(j) : '')]
    : missing(j) ? [2 * missing(j) >= j.ranks ? 'bad' : 'warn', '? ' + silence(j)] : j.newestStep === null ? ['warn', '\u2026 no step has ended yet'] : ['good', '\u2713 nothing found'];

const worst = (open) => open.some((i) => i.severity === 'critical') ? 'bad' : 'warn';

const pace = (j) => {
  if (j.lastNanos === null || j.lastNanos === undefined) return el('td', {class: 'n'}, '\u2013');
  if (!goesOn(j)) return el('td', {class: 'n'}, '\u2013', el('div', {class: 'note'}, 'the last was ' + time(j.lastNanos)));
  const ratio = j.usualNanos ? j.lastNanos / j.usualNanos : NaN;
  return el('td', {class: 'n'}, time(j.lastNanos), Number.isFinite(ratio) ? el('div', {class: 'note' + (ratio >= 1.1 ? ' warned' : '')}, factor(ratio) + ' the usual ' + time(j.usualNanos)) : null);
};

const coverage = (j) => el('td', {}, count(j.reporting) + ' of ' + count(j.ranks) + ' ranks',
  j.ranks ? el('div', {class: 'cover', role: 'img', 'aria-label': count(j.reporting) + ' of ' + count(j.ranks) + ' ranks report'}, meter(j.reporting / j.ranks)) : null,
  j.silent ? el('div', {class: 'note warned'}, plural(j.silent, 'rank') + (j.silent === 1 ? ' is' : ' are') + ' silent') : null,
  j.gone ? el('div', {class: 'note' + (j.saidEnd ? '' : ' warned')}, plural(j.gone, 'rank') + (j.gone === 1 ? ' has' : ' have') + ' ended') : null);
const meter = (share) => {
  const bar = el('span', {});
  bar.style.width = Math.round(100 * Math.min(1, share)) + '%';
  return bar;
};

const jobRow = (j, open) => {
  const [tone, word] = jobState(j, open);
  return el('tr', {'data-job': j.job}, el('td', {}, link(['job', j.job], safe(j.job)), el('div', {class: 'note'}, j.hosts === null ? '' : plural(j.hosts, 'host') + (j.topology ? ', ' : ''), safe(j.topology, 60))),
    el('td', {class: 'tone ' + tone}, word), pace(j), coverage(j), el('td', {class: 'n'}, j.newestStep === null ? '\u2013' : count(j.newestStep)),
    el('td', {class: 'n'}, j.lostGpuSeconds === null ? '\u2013' : gpuTime(j.lostGpuSeconds)), el('td', {class: 'n'}, ago(j.heardEpochNanos)));
};

const inShort = (i, job) => {
  const over = i.state === 'resolved', rate = costNow(i.duringRatio, job?.ranks), {cost} = lasting(i, job);
  return (rate ? ', ' + cost[0].toLowerCase() + cost.slice(1) + ': ' + rate : '') + (over ? ', lost in all: ' : ', lost so far: ') + gpuTime(i.gpuSeconds);
};

/** An incident in short; the whole of it is a link. `job` is its job as it is now, if it is known. */
export const incidentRow = (i, withJob, job) => el('li', {class: 'incident ' + (i.state === 'resolved' ? 'over' : i.severity === 'critical' ? 'bad' : 'warn'), 'data-id': i.id},
  el('div', {}, link(['incident', i.id], sentence(i.summary), {class: 'sentence'})),
  el('div', {class: 'note'}, (i.severity === 'critical' ? '\u25b2 critical' : '\u25b3 warning') + ', ' + safe(i.kind, 40) + ', ' + lasting(i, job).word + ', since ', moment(i.sinceEpochNanos),
    ', ' + confidence(i.confidence), inShort(i, job), withJob ? [', job ', link(['job', i.job], safe(i.job))] : '', ', ' + who(i)));

export const incidentList = (list, withJob, empty, jobs = []) => list.length ? el('ul', {class: 'incidents'}, list.map((i) => incidentRow(i, withJob, jobs.find((j) => j.job === i.job)))) : note(empty);

// Puts new content in place of old where it differs, and leaves what is in focus.
export const renew = (old, fresh) => {
  if (old.isEqualNode(fresh)) return old;
  const active = document.activeElement && old.contains(document.activeElement) ? document.activeElement.getAttribute('href') : null;
  old.replaceWith(fresh);
  if (active) [...fresh.querySelectorAll('a')].find((a) => a.getAttribute('href') === active)?.focus({preventScroll: true});
  return fresh;
};

export const overview = async ({signal, say}) => {
  const read = () => Promise.all([json('/jobs', signal), json('/incidents?most=200', signal)]);
  const draw = ([{jobs}, {incidents}]) => {
    const open = incidents.filter((i) => i.state !== 'resolved');
    const live = jobs.filter((j) => j.live), going = live.filter((j) => !j.ended), ended = live.filter((j) => j.ended);
    // What went on until its job ended is not over: nobody saw it end.
    const until = incidents.filter((i) => i.endedWithJob && ended.some((j) => j.job === i.job && j.attempt === i.attempt)), faulty = new Set(until.map((i) => i.job)), killed = ended.filter((j) => !j.saidEnd);
    const over = incidents.filter((i) => i.state === 'resolved' && !until.includes(i)).slice(0, 20);
    const lost = live.reduce((a, j) => a + (j.lostGpuSeconds || 0), 0);
    const standing = live.filter((j) => j.standing).length;
    const old = live.filter(tooOld).length, openOf = (j) => open.filter((i) => i.job === j.job);
    const quiet = live.filter((j) => missing(j)), silent = quiet.reduce((a, j) => a + missing(j), 0), mostly = quiet.some((j) => 2 * missing(j) >= j.ranks);
    const tone = standing || mostly || worst(open) === 'bad' ? 'bad' : open.length || old || silent || faulty.size || killed.length ? 'warn' : going.length ? 'good' : 'ended';
    const ends = plural(ended.length, 'job') + ' ended' + (faulty.size ? ', ' + count(faulty.size) + ' of them with an incident going on' : '') + (killed.length ? ', ' + count(killed.length) + ' without having said so' : '');
    const headline = !jobs.length ? 'No job is watched yet' : !live.length ? 'No job is watched now' : open.length ? plural(open.length, 'open incident') + ' in ' + plural(new Set(open.map((i) => i.job)).size, 'job')
      : old ? 'Nothing is heard of ' + plural(old, 'job') : silent ? plural(silent, 'rank') + (silent === 1 ? ' does' : ' do') + ' not report in ' + plural(quiet.length, 'job')
      : faulty.size || killed.length || !going.length ? (going.length ? '' : 'No job goes on now: ') + ends : 'Nothing is wrong that Argus could see';
    const box = el('div', {});
    box.append(el('section', {id: 'card', class: 'card ' + (live.length ? tone : 'warn')}, el('h1', {}, headline),
      jobs.length ? el('p', {}, plural(live.length, 'job') + ' watched' + (going.length ? ', ' + count(going.reduce((a, j) => a + j.reporting, 0)) + ' of ' + plural(going.reduce((a, j) => a + j.ranks, 0), 'rank') + ' of those that go on report' : '')
        + (ended.length ? '; ' + ends : '') + '; ' + gpuTime(lost) + ' lost so far by what was found.') : el('p', {}, 'On each host of a job, start ', el('code', {}, 'argus agent --to ' + location.origin + ' --token-file FILE'),
        '. Without a job at hand: ', el('code', {}, './argus demo'), '.')));
    if (jobs.length) {
      box.append(el('section', {id: 'incidents'}, el('h2', {}, 'Open incidents, those that cost most now first'),
        incidentList(open, true, 'None is open. ' + (!going.length ? 'No job goes on.' : going.some((j) => j.newestStep !== null) ? 'Jobs are judged with every step.' : 'No job has ended a step yet.'), jobs),
        until.length ? [el('h3', {}, 'Going on when their job ended: ' + plural(until.length, 'incident')), incidentList(until.slice(0, 50), true, '', jobs)] : null,
        over.length ? el('details', {}, el('summary', {}, 'Over: ' + plural(over.length, 'incident')), incidentList(over, true, '', jobs)) : null));
      box.append(el('section', {id: 'jobs'}, el('h2', {}, 'Jobs'), wideTable([['job'], ['state'], ['step time now', 'n'], ['coverage'], ['step', 'n'], ['lost', 'n'], ['heard', 'n']], jobs.map((j) => jobRow(j, openOf(j)))),
      note('The usual step time is the median of recent steps: a job that has been slow for long has a slow usual. What is open compares it with its peers and with its past.')));
    }
    return box;
  };
  const node = el('div', {});
  let shown = draw(await read());
  node.append(shown);
  let timer = 0, last = 0;
  const again = async () => {
    timer = 0;
    last = Date.now();
    try {
      const fresh = draw(await read());
      const open = new Set([...node.querySelectorAll('details')].filter((d) => d.open).map((d) => d.parentNode.id));
      fresh.querySelectorAll('details').forEach((d) => { d.open = open.has(d.parentNode.id); });
      shown = renew(shown, fresh);
    } catch { /* the state of the connection tells */ }
  };
  const soon = () => { if (!timer) timer = setTimeout(again, Math.max(0, 1000 - (Date.now() - last))); };
  return {
    node, title: '',
    hear: (type, data) => {
      if (type === 'incident' && data.incident && data.change !== 'changed') say(data.change === 'opened' ? 'New incident: ' + sentence(data.incident.summary) : 'Incident ' + data.change + ': ' + sentence(data.incident.summary));
      soon();
    },
    tick: soon,
    find: () => say('Ranks and hosts are found in a job: open one, and press / there.'),
    close: () => clearTimeout(timer),
  };
};
