// Numbers, times and names as people say them.
import {el, factor, percent, three} from './look.js';

const GAP = '\u00a0';

// Names are hostile: what cannot be seen or turns text around is written as its number, and what is long is cut. The exact name is in the API.
const HIDDEN = /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;
export const safe = (text, most = 200) => {
  const shown = String(text ?? '').replace(HIDDEN, (c) => '\\u' + c.charCodeAt(0).toString(16).padStart(4, '0'));
  return shown.length <= most ? shown : shown.slice(0, most - 1) + '\u2026';
};
export const sentence = (text) => safe(text, 2000);

export const count = (n) => Number(n).toLocaleString('en');
export const plural = (n, one, more = one + 's') => count(n) + ' ' + (n === 1 ? one : more);

// Whoever loses time: GPU-seconds below six minutes, else GPU-hours.
export const gpuTime = (seconds) => !Number.isFinite(seconds) ? 'unknown'
  : seconds < 360 ? three(seconds) + GAP + 'GPU-seconds' : three(seconds / 3600) + GAP + 'GPU-hours';

export const withUnit = (value, unit) => !Number.isFinite(value) ? 'unknown'
  : unit === 'x' ? factor(value) : unit === '' || unit === '1' ? three(value) : three(value) + GAP + safe(unit, 12);

// A probability in the words of the command line, and in whole percent; nothing is certain, nothing impossible.
export const confidence = (p) => {
  if (!Number.isFinite(p)) return 'unknown';
  const word = p >= 0.95 ? 'almost certain' : p >= 0.85 ? 'very likely' : p >= 0.7 ? 'likely' : p >= 0.5 ? 'more likely than not' : 'uncertain';
  return word + ' (' + Math.min(99, Math.max(1, Math.round(100 * p))) + GAP + '%)';
};

/** Round values, 1, 2 or 5 times a power of ten apart, at most so many and `least` apart or more. */
export const round = (from, to, most, least = 0) => {
  const raw = Math.max(least, (to - from) / most, Number.MIN_VALUE), unit = 10 ** Math.floor(Math.log10(raw) + 1e-9), by = raw / unit, tick = unit * (by > 5 + 1e-9 ? 10 : by > 2 + 1e-9 ? 5 : by > 1 + 1e-9 ? 2 : 1);
  const all = [];
  for (let k = Math.ceil(from / tick - 1e-9); k * tick <= to && all.length <= most + 1; k++) all.push(k * tick);
  return all;
};

export const millis = (nanos) => Number(nanos) / 1e6;

// A moment as logs and the command line write it: 24 hours of UTC; in the zone of the viewer one hover away.
export const moment = (epochNanos) => {
  if (!epochNanos) return el('span', {}, 'unknown');
  const date = new Date(millis(epochNanos));
  return el('time', {datetime: date.toISOString(), title: local(date)}, clock(date));
};
export const clock = (date) => {
  const text = date.toISOString(), day = text.slice(0, 10), shown = text.slice(11, 19) + GAP + 'UTC';
  return new Date().toISOString().startsWith(day) ? shown : day + ' ' + shown;
};
export const local = (date) => {
  const away = -date.getTimezoneOffset(), two = (n) => String(n).padStart(2, '0');
  return new Date(date.getTime() + 60000 * away).toISOString().slice(0, 19).replace('T', ' ') + ' here (UTC' + (away < 0 ? '\u2212' : '+') + two(Math.floor(Math.abs(away) / 60)) + ':' + two(Math.abs(away) % 60) + ')';
};
export const span = (seconds) => seconds < 1 ? 'a moment' : seconds < 100 ? plural(Math.round(seconds), 'second')
  : seconds < 6000 ? plural(Math.round(seconds / 60), 'minute') : seconds < 172800 ? three(seconds / 3600) + ' hours' : three(seconds / 86400) + ' days';
export const ago = (epochNanos) => !epochNanos ? 'never' : span(Math.max(0, (Date.now() - millis(epochNanos)) / 1000)) + ' ago';

/** What an incident costs while it lasts: a share of its steps, however old it is, and of a job of so many ranks in GPU-hours an hour; empty where unknown. */
export const costNow = (ratio, ranks) => ratio === null || !(ratio > 0) ? '' : percent(ratio) + ' of the step time' + (ranks > 1 ? ', ' + three(ratio * ranks) + ' GPU-hours each hour' : '');

export const bytes = (n) => {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  let unit = 0;
  for (; n >= 999.5 && unit < units.length - 1; unit++) n /= 1000;
  return three(n) + GAP + units[unit];
};

// ---- ranks: 0-7,16

export const parseRanks = (text) => {
  const ranks = [];
  for (const part of String(text || '').split(',')) {
    const [from, to] = part.split('-');
    if (/^\d+$/.test(from)) for (let r = +from; r <= (to === undefined ? +from : +to) && ranks.length < 200000; r++) ranks.push(r);
  }
  return ranks;
};
export const rankText = (ranks, most = 60) => {
  const sorted = [...ranks].sort((a, b) => a - b), parts = [];
  for (let i = 0; i < sorted.length;) {
    let j = i;
    while (j + 1 < sorted.length && sorted[j + 1] === sorted[j] + 1) j++;
    parts.push(j === i ? String(sorted[i]) : sorted[i] + '-' + sorted[j]);
    i = j + 1;
  }
  const text = parts.join(',');
  return text.length <= most ? text : text.slice(0, text.lastIndexOf(',', most)) + ',\u2026';
};

// Four numbers in a row and more, in sentences that come from elsewhere, are ranks one by one: 0,1,2,3,16 is 0-3,16.
export const compact = (text) => String(text ?? '').replace(/\b\d{1,6}(?:, ?\d{1,6}){3,}\b/g, (all) => {
  const list = all.split(',').map(Number);
  return list.every((r, i) => !i || r > list[i - 1]) ? rankText(list, 1e6) : all;
});
/** What may be long: its beginning, and the whole of it on demand. */
export const long = (text, most = 120) => {
  if (text.length <= most) return text;
  const cut = text.slice(0, most), at = Math.max(cut.lastIndexOf(','), cut.lastIndexOf(' '));
  return el('details', {class: 'long'}, el('summary', {title: text}, (at > most / 2 ? cut.slice(0, at + 1) : cut) + '\u2026'), el('div', {}, text));
};
/** A table in a box of its own; on narrow screens each row is a card, with the names of the columns beside the values. */
export const wideTable = (heads, rows, props = {}) => {
  rows.forEach((row) => [...row.children].forEach((td, k) => { if (heads[k]?.[0]) td.dataset.label = heads[k][0]; }));
  return el('div', {class: 'scroll'}, el('table', {...props, class: 'cards ' + (props.class || '')}, el('thead', {}, el('tr', {}, heads.map(([text, cls]) => el('th', {class: cls || ''}, text)))), el('tbody', {}, rows)));
};

/** Ranks of an incident, whole or in short. */
export const ranksOf = (incident) => Array.isArray(incident.ranks) ? incident.ranks : parseRanks(incident.ranks);

// Who is accused, with host and GPU beside the rank.
export const who = (incident) => {
  const gpus = incident.gpus || [];
  if (gpus.length === 1 && gpus[0].rank !== null) {
    const g = gpus[0];
    return 'rank ' + g.rank + (g.host ? ' on ' + safe(g.host, 60) : '') + (g.index === null || g.index === undefined ? '' : ' GPU ' + g.index);
  }
  const ranks = ranksOf(incident);
  const hosts = Array.isArray(incident.hosts) ? incident.hosts : String(incident.hosts || '').split(',').filter(Boolean);
  const on = hosts.length ? ' on ' + hosts.slice(0, 4).map((h) => safe(h, 60)).join(', ') + (hosts.length > 4 ? ' and ' + (hosts.length - 4) + ' more hosts' : '') : '';
  return ranks.length ? (ranks.length === 1 ? 'rank ' : 'ranks ') + rankText(ranks) + on : on ? 'host' + on.slice(3) : 'nobody in particular';
};
/** Nothing was heard of a job for so long that nothing can be said of now; as the server says it of its ranks. */
const SILENT_MILLIS = 30000;
export const tooOld = (j) => Boolean(j?.live && j.heardEpochNanos && Date.now() - millis(j.heardEpochNanos) > SILENT_MILLIS);
/** True of a job that goes on, as far as is known now. */
export const goesOn = (j) => Boolean(j?.live && !j.ended && !tooOld(j));
/** In place of a job: an incident is of a record, which has no now. */
export const RECORD = {record: true};

export const stateWord = (state) => ({open: 'open', ongoing: 'going on', resolved: 'over'})[state] || safe(state, 20);

// What is open stays so for some steps after it was last seen: whoever reads "going on" is told when that was. `job` is what is known of it now, or null.
const SEEN_LATELY = 4;
const unseen = (incident, job) => {
  const behind = (job?.newestStep ?? NaN) - incident.steps?.[1];
  return incident.state !== 'resolved' && job?.attempt === incident.attempt && behind >= SEEN_LATELY ? behind : 0;
};

/** State of an incident in words, and how its cost is named: only what is seen of a job that is heard costs now. `job` is its job as it is known, null where nobody watches it, or RECORD. */
export const lasting = (incident, job) => {
  const open = incident.state !== 'resolved', steps = unseen(incident, job);
  if (job?.record) return {word: open ? 'going on where the record ends' : 'over within the record', cost: 'Cost while it lasted', all: 'Cost in all'};
  if (!open) return {word: !incident.endedWithJob ? 'over' : job && job.attempt > incident.attempt ? 'over: its attempt ended while it was going on' : 'over: its job ended while it was going on', cost: 'Cost while it lasted', all: 'Cost in all'};
  if (!job?.live) return {word: 'not over when its job was last watched', cost: 'Cost while it was seen', all: 'Cost so far'};
  if (job.ended) return {word: 'its job ended while it was going on', cost: 'Cost while it was seen', all: 'Cost so far'};
  if (tooOld(job)) return {word: stateWord(incident.state) + ' when the job was last heard, ' + ago(job.heardEpochNanos), cost: 'Cost when last heard', all: 'Cost so far'};
  return steps ? {word: 'not over yet, last seen in step ' + count(incident.steps[1]) + ', not seen for ' + plural(steps, 'step'), cost: 'Cost while seen', all: 'Cost so far'}
    : {word: stateWord(incident.state), cost: 'Costs now', all: 'Cost so far'};
};

// A link inside the page; parts of the path are encoded.
export const link = (path, text, props = {}) => el('a', {href: to(...path), ...props}, text);
export const to = (...path) => {
  const query = typeof path.at(-1) === 'object' ? path.pop() : null;
  const search = query ? new URLSearchParams(Object.entries(query).filter(([, v]) => v !== null && v !== undefined && v !== '')).toString() : '';
  return '#/' + path.map(encodeURIComponent).join('/') + (search ? '?' + search : '');
};
