// Numbers, times and names as people say them.
import {el, factor, three} from './look.js';

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

// A probability in words and whole percent; nothing is certain, nothing impossible.
export const confidence = (p) => {
  if (!Number.isFinite(p)) return 'unknown';
  const word = p >= 0.95 ? 'nearly certain' : p >= 0.8 ? 'likely' : p >= 0.6 ? 'more likely than not' : 'a suspicion';
  return word + ' (' + Math.min(99, Math.max(1, Math.round(100 * p))) + GAP + '%)';
};

export const millis = (nanos) => Number(nanos) / 1e6;

// A moment in the viewer's zone, with UTC one hover away.
export const moment = (epochNanos) => {
  if (!epochNanos) return el('span', {}, 'unknown');
  const date = new Date(millis(epochNanos));
  return el('time', {datetime: date.toISOString(), title: date.toISOString() + ' (UTC)'}, clock(date));
};
export const clock = (date) => {
  const today = new Date().toDateString() === date.toDateString();
  return today ? date.toLocaleTimeString() : date.toLocaleDateString() + ' ' + date.toLocaleTimeString();
};
export const span = (seconds) => seconds < 1 ? 'a moment' : seconds < 100 ? plural(Math.round(seconds), 'second')
  : seconds < 6000 ? plural(Math.round(seconds / 60), 'minute') : seconds < 172800 ? three(seconds / 3600) + ' hours' : three(seconds / 86400) + ' days';
export const ago = (epochNanos) => !epochNanos ? 'never' : span(Math.max(0, (Date.now() - millis(epochNanos)) / 1000)) + ' ago';

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

// Who is accused, with host and GPU beside the rank.
export const who = (incident) => {
  const gpus = incident.gpus || [];
  if (gpus.length === 1 && gpus[0].rank !== null) {
    const g = gpus[0];
    return 'rank ' + g.rank + (g.host ? ' on ' + safe(g.host, 60) : '') + (g.index === null || g.index === undefined ? '' : ' GPU ' + g.index);
  }
  const ranks = Array.isArray(incident.ranks) ? incident.ranks : parseRanks(incident.ranks);
  const hosts = Array.isArray(incident.hosts) ? incident.hosts : String(incident.hosts || '').split(',').filter(Boolean);
  const on = hosts.length ? ' on ' + hosts.slice(0, 4).map((h) => safe(h, 60)).join(', ') + (hosts.length > 4 ? ' and ' + (hosts.length - 4) + ' more hosts' : '') : '';
  return ranks.length ? (ranks.length === 1 ? 'rank ' : 'ranks ') + rankText(ranks) + on : on ? 'host' + on.slice(3) : 'nobody in particular';
};
export const stateWord = (state) => ({open: 'open', ongoing: 'going on', resolved: 'over'})[state] || safe(state, 20);

// A link inside the page; parts of the path are encoded.
export const link = (path, text, props = {}) => el('a', {href: to(...path), ...props}, text);
export const to = (...path) => {
  const query = typeof path.at(-1) === 'object' ? path.pop() : null;
  const search = query ? new URLSearchParams(Object.entries(query).filter(([, v]) => v !== null && v !== undefined && v !== '')).toString() : '';
  return '#/' + path.map(encodeURIComponent).join('/') + (search ? '?' + search : '');
};
