// From what people have in mind (a rank, a host, a place in the layout) to ranks of a job.
import {el, factor, note, section, time} from './look.js';
import {buffer, job as path} from './api.js';
import {count, link, parseRanks, plural, ranksOf, rankText, safe, to, wideTable} from './words.js';
import {decode, medians, nanosOf, ratioOf} from './heatdata.js';
import {accusedOf, nearness} from './heatstart.js';
import {readShape} from './shape.js';

const MOST_ROWS = 32, MOST_NEAR = 6, MOST_DISTANCE = 3, MOST_LOOKED = 20000, MOST_TEXT = 300;

/** Letters that have to be changed to make one word of another, at most `most` + 1. Cost: the length times `most`, for farther from the diagonal nothing is as near. */
export const distance = (a, b, most) => {
  if (Math.abs(a.length - b.length) > most) return most + 1;
  let row = Array.from({length: b.length + 1}, (_, k) => k);
  for (let i = 1; i <= a.length; i++) {
    const from = Math.max(1, i - most), to = Math.min(b.length, i + most), next = new Array(b.length + 1);
    let least = next[from - 1] = from === 1 ? i : most + 1;
    for (let k = from; k <= to; k++) least = Math.min(least, next[k] = Math.min(next[k - 1] + 1, (row[k] ?? most) + 1, row[k - 1] + (a[i - 1] === b[k - 1] ? 0 : 1)));
    if (least > most) return most + 1;
    row = next;
  }
  return Math.min(row[b.length], most + 1);
};
const near = (name, names) => names.slice(0, MOST_LOOKED).map((n) => [distance(name, n.toLowerCase(), MOST_DISTANCE), n]).filter(([d]) => d <= MOST_DISTANCE).sort((a, b) => a[0] - b[0]).slice(0, MOST_NEAR).map(([, n]) => n);

// node-0013 is also node-13.
const bare = (name) => (name || '').toLowerCase().replace(/0*(\d+)/g, '$1');

const ofNumbers = (text, size) => {
  const all = [], beyond = [];
  for (const part of text.split(',')) {
    const [from, to = from] = part.split('-').map(Number);
    if (to < from) return {problem: 'From ' + from + ' to ' + to + ' there are no ranks: the smaller number comes first.', near: [to + '-' + from]};
    for (let r = from; r <= Math.min(to, size - 1); r++) all.push(r);
    if (to >= size) beyond.push(from === to || from >= size ? part : Math.max(from, size) + '-' + to);
  }
  const has = size ? 'The job has ranks 0 to ' + (size - 1) + '.' : 'How many ranks the job has is not known yet.';
  if (!all.length) return {problem: 'There is no rank ' + text.replaceAll(',', ', ') + ' here. ' + has, near: []};
  const ranks = [...new Set(all)].sort((a, b) => a - b);
  return {ranks, what: ranks.length === 1 ? 'rank ' + ranks[0] : 'ranks ' + rankText(ranks), left: beyond.length ? 'Left out: ' + beyond.join(', ') + '. ' + has : ''};
};

const ofPlaces = (pairs, shape, size) => {
  for (const [name, at] of pairs) {
    const d = shape.dimensions.find((d) => d.name === name);
    if (at >= d.size) return {problem: 'There is no ' + name + ' ' + at + ': ' + name + ' goes from 0 to ' + (d.size - 1) + '.', near: []};
  }
  const ranks = Array.from({length: size}, (_, r) => r).filter((r) => { const of = shape.coordinates(r); return pairs.every(([name, at]) => (of.find(([n]) => n === name)?.[1] ?? 0) === at); });
  return ranks.length ? {ranks, what: pairs.map(([name, at]) => name + ' ' + at).join(', '), left: ''} : {problem: 'No rank has ' + pairs.map(([n, at]) => n + ' ' + at).join(' and ') + '.', near: []};
};

/**
 * Ranks by what they are called: `4711`, `rank 7`, `0-7,16`, `node-12`, `node-12 GPU 3`, a part of a host's name, `tp 3`, `dp=1, pp=0`, the name of a set of peers.
 *
 * @param size ranks of the job
 * @returns {ranks, what, left} (left: what of it there is not), or {problem, near} (near: what else could be meant)
 */
export const lookUp = (text, shape, size) => {
  if (text.length > MOST_TEXT) return {problem: 'That is longer than ' + MOST_TEXT + ' characters; say it in fewer.', near: []}; // an address may bring any length
  const plain = text.trim().replace(/\s+/g, ' '), low = plain.toLowerCase();
  const numbers = low.match(/^(?:ranks? ?)?(\d{1,9}(?: ?- ?\d{1,9})?(?: ?, ?\d{1,9}(?: ?- ?\d{1,9})?)*)$/);
  if (numbers) return ofNumbers(numbers[1].replaceAll(' ', ''), size);
  const pairs = [...low.matchAll(/([a-z][a-z0-9]*?)(?: ?= ?| )?(\d{1,9})(?:[, ]+|$)/g)];
  if (pairs.length && pairs.map((p) => p[0]).join('') === low && pairs.every(([, name]) => shape.dimensions.some((d) => d.name === name))) return ofPlaces(pairs.map(([, name, at]) => [name, Number(at)]), shape, size);
  const hosts = [...shape.hosts.keys()], [, host, gpu] = low.match(/^(?:host )?(.*?)(?:,? gpu ?(\d{1,4}))?$/);
  const exact = hosts.find((h) => h.toLowerCase() === host) ?? hosts.find((h) => bare(h) === bare(host)), holding = exact ? [exact] : host ? hosts.filter((h) => h.toLowerCase().includes(host)) : [];
  const set = shape.sets.find((s) => s.label.toLowerCase() === low) || (holding.length ? null : shape.sets.find((s) => low && s.label.toLowerCase().includes(low)));
  if (set) return {ranks: set.ranks, what: safe(set.label, 60), left: ''};
  if (holding.length === 1) {
    const all = shape.hosts.get(holding[0]), ranks = gpu === undefined ? all : all.filter((r) => shape.gpuOf(r) === Number(gpu));
    return ranks.length ? {ranks, what: safe(holding[0], 60) + (gpu === undefined ? '' : ' GPU ' + gpu), left: ''}
      : {problem: 'No rank of this job runs on GPU ' + gpu + ' of ' + safe(holding[0], 60) + '.', near: all.slice(0, MOST_NEAR).map((r) => 'rank ' + r)};
  }
  if (holding.length) return {problem: plural(holding.length, 'host') + ' have \u201c' + safe(host, 40) + '\u201d in their names.', near: holding.slice(0, MOST_NEAR)};
  const shown = '\u201c' + safe(plain, 40) + '\u201d', places = shape.dimensions.filter((d) => d.size > 1).map((d) => d.name + ' 0 to ' + (d.size - 1));
  return {problem: 'Nothing in this job is called ' + shown + '. ' + (size ? 'It has ranks 0 to ' + (size - 1) : 'Its ranks are not known yet') + (hosts.length ? ', ' + plural(hosts.length, 'host') + ' such as ' + safe(hosts[0], 40) : ', and its hosts are not known') + (places.length ? ', ' + places.join(', ') : '') + '.', near: near(host, hosts)};
};

/**
 * A field to find ranks with; the key `/` goes there.
 *
 * @param read gives the shape of the job and its number of ranks: {shape, size}; asked when it is first needed
 * @param show hears of {ranks, what, left} with the text, or of null when the field is emptied
 */
export const finder = ({value, read, show}) => {
  const said = el('p', {class: 'note', id: 'find-said', role: 'status'});
  const input = el('input', {type: 'search', size: 24, placeholder: 'rank 37, host, tp 3', 'aria-describedby': 'find-said', maxlength: MOST_TEXT, autocomplete: 'off', spellcheck: 'false'});
  let known = null, number = 0;
  const find = async () => {
    const mine = ++number, text = input.value.trim().slice(0, MOST_TEXT + 1);
    if (!text) { said.replaceChildren(); show(null, ''); return; }
    try { known ||= await read(); } catch (e) {
      if (e.name !== 'AbortError') said.replaceChildren('It could not be looked up: ' + e.message);
      return;
    }
    if (mine !== number) return;
    const found = lookUp(text, known.shape, known.size);
    said.className = found.problem ? 'note warned' : 'note';
    said.replaceChildren(...(found.problem ? [found.problem, ...(found.near.length ? [' Meant? ', ...found.near.flatMap((n) => [el('button', {type: 'button', onclick: () => { input.value = n; find(); }}, safe(n, 40)), ' '])] : [])] : [found.left]));
    show(found.problem ? null : found, text);
  };
  input.value = value || '';
  input.addEventListener('keydown', (e) => { if (e.key === 'Escape') { input.value = ''; find(); input.blur(); e.preventDefault(); } });
  // The cross in a field of this kind empties it without a key.
  input.addEventListener('search', () => { if (!input.value) find(); });
  const node = el('div', {class: 'find'}, el('form', {role: 'search', onsubmit: (e) => { e.preventDefault(); find(); }}, el('label', {}, 'Find ', input), ' ', el('button', {}, 'Find'), ' ', el('kbd', {title: 'This key goes to the field.'}, '/')), said);
  return {node, focus: () => { input.focus(); input.select(); }, begin: () => (input.value ? find() : null)};
};

// ---- what is known of them now

const newest = async (job, measure, step, signal) => {
  if (step === null) return null;
  const map = decode(await buffer(path(job) + '/heatmap?value=' + measure + '&from=' + step + '&to=' + step, 'application/x-argus-heatmap', signal));
  return map.ranks.length && map.steps.length ? map : null;
};

/**
 * Who was found: where they run, what they do, how their newest step was against their peers, and who accuses them.
 *
 * @param now the job in short; `open` its open incidents; `relation` of a rank to the incident that is shown, or null
 * @param incident identifier of the incident that is shown, or null
 */
export const foundSection = async (found, text, {job, now, shape, open, relation, incident, signal}) => {
  const step = now?.newestStep ?? null, accusedBy = open.map((i) => [i, new Set(ranksOf(i))]);
  const [own, wait] = await Promise.all(['own', 'wait'].map((m) => newest(job, m, step, signal).catch((e) => { if (e.name === 'AbortError') throw e; return null; })));
  const middle = own ? await medians(own, shape.peersOf, signal) : null;
  const row = new Map(own ? Array.from(own.ranks, (r, i) => [r, i]) : []), silent = new Set(parseRanks(now?.silentRanks)), gone = new Set(parseRanks(now?.goneRanks));
  const code = (map, rank) => map && row.has(rank) && map.ranks[row.get(rank)] === rank ? map.codes[row.get(rank) * map.steps.length + map.steps.length - 1] : 0;
  const line = (rank) => {
    const mine = code(own, rank), peers = mine ? middle.of[middle.set[row.get(rank)]].at(-1) : 0, with_ = code(wait, rank), accused = accusedBy.filter(([, ranks]) => ranks.has(rank)).map(([i]) => i);
    const ratio = mine && peers ? ratioOf(mine - peers) : NaN;
    return el('tr', {'data-rank': rank}, el('td', {}, String(rank)), el('td', {}, safe(shape.hostOf(rank), 60) || 'unknown'), el('td', {class: 'n'}, shape.gpuOf(rank) === null ? '\u2013' : String(shape.gpuOf(rank))),
      el('td', {}, shape.coordinates(rank).map(([n, c]) => n + ' ' + c).join(', ') || '\u2013'), el('td', {class: 'n'}, mine ? time(nanosOf(mine)) : '\u2013'), el('td', {class: 'n' + (ratio >= 1.1 ? ' suspect' : '')}, Number.isFinite(ratio) ? factor(ratio) : '\u2013'),
      el('td', {class: 'n'}, with_ ? time(nanosOf(with_)) : '\u2013'), el('td', {}, accused.length ? ['accused: ', ...accused.flatMap((i, k) => [k ? ', ' : '', link(['incident', i.id], safe(i.kind, 40))])] : silent.has(rank) ? 'silent' : gone.has(rank) ? 'ended' : mine ? 'reports' : now?.live ? 'nothing of it in this step' : 'not watched any more', relation ? el('div', {class: 'note'}, relation(rank)) : null));
  };
  const sets = [...new Set(found.ranks.map(shape.peersOf))].filter((s) => s >= 0), peers = sets.length === 1 ? shape.sets[sets[0]] : null;
  const others = peers ? peers.ranks.filter((r) => !found.ranks.includes(r)) : [];
  const more = found.ranks.length - MOST_ROWS;
  return section('found', found.ranks.length === 1 ? shape.name(found.ranks[0]).replace(/^r/, 'R') : found.what.replace(/^r(?=anks? \d)/, 'R') + ': ' + plural(found.ranks.length, 'rank'),
    el('p', {}, el('a', {href: to('job', job, 'heat', {incident, find: text}), id: 'found-heat'}, 'Show in ranks by steps')),
    wideTable([['rank'], ['host'], ['GPU', 'n'], ['place'], ['own time', 'n'], ['against peers', 'n'], ['communication', 'n'], ['state']], found.ranks.slice(0, MOST_ROWS).map(line)),
    more > 0 ? note('And ' + plural(more, 'more rank') + ': ' + rankText(found.ranks.slice(MOST_ROWS), 200) + '.') : null,
    peers ? note('Peers, which do the same work (' + safe(peers.label || 'of one kind', 60) + '): ' + (others.length ? plural(others.length, 'other rank') + ', ' + rankText(others, 200) : 'none beside these') + '.') : sets.length > 1 ? note('They do work of ' + plural(sets.length, 'kind') + '; each is held against the others of its kind.') : null,
    note(own ? 'Times are of step ' + count(own.steps.at(-1)) + ': own time is compute, copies and idle gaps; communication is what nothing covers.' : step === null ? 'No step has ended yet.' : 'Of the newest step no times are in memory.'));
};

/**
 * The field above a view of a job or an incident, and below it who was found. What is looked for stands in the address.
 *
 * @param now gives the job in short or null, `open` its open incidents, `incident` the one that is shown or null
 */
export const findBar = ({job, query, signal, change, now, open, incident}) => {
  const panel = el('div', {});
  let shape = null, begun = false, number = 0;
  const read = async () => {
    shape = await readShape(now(), signal);
    return {shape, size: shape.worldSize || now()?.ranks || 0};
  };
  const show = async (found, text) => {
    const mine = ++number, byHand = begun;
    change({find: text});
    if (!found) { panel.replaceChildren(); return; }
    try {
      const of = incident(), accused = accusedOf(of, shape), near = nearness(accused, shape);
      const relation = accused.size ? (r) => ['accused by this incident', 'on a host of the accused', 'does the work of the accused', 'none of the accused'][near(r)] : null;
      const fresh = await foundSection(found, text, {job, now: now(), shape, open: open(), relation, incident: of?.id ?? null, signal});
      if (mine !== number) return;
      panel.replaceChildren(fresh);
      if (byHand) fresh.querySelector('#found-heat').focus();
    } catch (e) { if (e.name !== 'AbortError') panel.replaceChildren(note('What is known of them could not be read: ' + e.message)); }
  };
  const field = finder({value: query.get('find'), read, show});
  return {node: el('div', {}, field.node, panel), focus: field.focus, begin: async () => { await field.begin(); begun = true; }};
};
