// Is something wrong, and what does it cost? All jobs, and what is open, most costly now first.
import {el, factor, note, time} from './look.js';
import {json} from './api.js';
import {ago, confidence, costNow, count, gpuTime, lastSeen, link, millis, moment, plural, safe, sentence, stateWord, who, wideTable} from './words.js';

const OLD_SECONDS = 60;

export const tooOld = (j) => j.live && j.heardEpochNanos && Date.now() - millis(j.heardEpochNanos) > 1000 * OLD_SECONDS;

// Ranks that say nothing: those that steps do not wait for any more, and, once steps end, those that were never heard.
const unheard = (j) => j.ended ? 0 : Math.max(j.silent || 0, j.newestStep === null ? 0 : j.ranks - j.reporting);
const silence = (j) => unheard(j) >= j.ranks ? 'all ' + plural(j.ranks, 'rank') + ' silent' : plural(unheard(j), 'rank') + ' silent';

/** State of a job: a word, and a sign for eyes that see no colour. `open` are its incidents that are open. */
export const jobState = (j, open) => !j.live ? ['ended', '\u25a1 not watched any more'] : j.ended ? ['ended', '\u25a1 its processes have ended'] : tooOld(j) ? ['warn', '? nothing heard for ' + ago(j.heardEpochNanos).replace(' ago', '')]
  : j.standing ? ['bad', '\u2715 stands still'] : open.length ? [worst(open), '! ' + plural(open.length, 'incident') + (unheard(j) ? ', ' + silence(j) : '')]
    : unheard(j) ? [2 * unheard(j) >= j.ranks ? 'bad' : 'warn', '? ' + silence(j)] : j.newestStep === null ? ['warn', '\u2026 no step has ended yet'] : ['good', '\u2713 nothing found'];

const worst = (open) => open.some((i) => i.severity === 'critical') ? 'bad' : 'warn';

const pace = (j) => {
  if (j.lastNanos === null || j.lastNanos === undefined) return el('td', {class: 'n'}, '\u2013');
  const ratio = j.usualNanos ? j.lastNanos / j.usualNanos : NaN;
  return el('td', {class: 'n'}, time(j.lastNanos), Number.isFinite(ratio) ? el('div', {class: 'note' + (ratio >= 1.1 ? ' warned' : '')}, factor(ratio) + ' the usual ' + time(j.usualNanos)) : null);
};

const coverage = (j) => el('td', {}, count(j.reporting) + ' of ' + count(j.ranks) + ' ranks',
  j.ranks ? el('div', {class: 'cover', role: 'img', 'aria-label': count(j.reporting) + ' of ' + count(j.ranks) + ' ranks report'}, meter(j.reporting / j.ranks)) : null,
  j.silent ? el('div', {class: 'note warned'}, plural(j.silent, 'rank') + (j.silent === 1 ? ' is' : ' are') + ' silent') : null);
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
  const over = i.state === 'resolved', rate = costNow(i.duringRatio, job?.ranks);
  return (rate ? (over ? ', cost while it lasted: ' : ', costs now: ') + rate : '') + (over ? ', lost in all: ' : ', lost so far: ') + gpuTime(i.gpuSeconds);
};

/** An incident in short; the whole of it is a link. `job` is its job as it is now, if it is known. */
export const incidentRow = (i, withJob, job) => el('li', {class: 'incident ' + (i.state === 'resolved' ? 'over' : i.severity === 'critical' ? 'bad' : 'warn'), 'data-id': i.id},
  el('div', {}, link(['incident', i.id], sentence(i.summary), {class: 'sentence'})),
  el('div', {class: 'note'}, (i.severity === 'critical' ? '\u25b2 critical' : '\u25b3 warning') + ', ' + safe(i.kind, 40) + ', ' + stateWord(i.state) + lastSeen(i, job) + ', since ', moment(i.sinceEpochNanos),
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
    const open = incidents.filter((i) => i.state !== 'resolved'), over = incidents.filter((i) => i.state === 'resolved').slice(0, 20);
    const live = jobs.filter((j) => j.live);
    const lost = live.reduce((a, j) => a + (j.lostGpuSeconds || 0), 0);
    const standing = live.filter((j) => j.standing).length;
    const old = live.filter(tooOld).length, openOf = (j) => open.filter((i) => i.job === j.job);
    const quiet = live.filter((j) => unheard(j)), silent = quiet.reduce((a, j) => a + unheard(j), 0), mostly = quiet.some((j) => 2 * unheard(j) >= j.ranks);
    const tone = standing || mostly || worst(open) === 'bad' ? 'bad' : open.length || old || silent ? 'warn' : 'good';
    const headline = !jobs.length ? 'No job is watched yet' : !live.length ? 'No job is watched now' : open.length ? plural(open.length, 'open incident') + ' in ' + plural(new Set(open.map((i) => i.job)).size, 'job')
      : old ? 'Nothing is heard of ' + plural(old, 'job') : silent ? plural(silent, 'rank') + (silent === 1 ? ' is' : ' are') + ' silent in ' + plural(quiet.length, 'job') : 'Nothing is wrong that Argus could see';
    const box = el('div', {});
    box.append(el('section', {id: 'card', class: 'card ' + (live.length ? tone : 'warn')}, el('h1', {}, headline),
      jobs.length ? el('p', {}, plural(live.length, 'job') + ' watched, ' + count(live.reduce((a, j) => a + j.reporting, 0)) + ' of ' + count(live.reduce((a, j) => a + j.ranks, 0))
        + ' ranks report, ' + gpuTime(lost) + ' lost so far by what was found.') : el('p', {}, 'On each host of a job, start ', el('code', {}, 'argus agent --to ' + location.origin + ' --token-file FILE'),
        '. Without a job at hand: ', el('code', {}, './argus demo'), '.')));
    if (jobs.length) {
      box.append(el('section', {id: 'incidents'}, el('h2', {}, 'Open incidents, those that cost most now first'),
        incidentList(open, true, 'None is open. ' + (live.some((j) => j.newestStep !== null) ? 'Jobs are judged with every step.' : 'No job has ended a step yet.'), jobs),
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
