// L5: what the CPU did, suspects against peers.
import {diverging, el, note, percent, section} from './look.js';
import {buffer, json, objectHref} from './api.js';
import {bytes, count, moment, plural, rankText, safe, sentence, to} from './words.js';
import {crumbs} from './incident.js';
import {differences, flame, parse, tree} from './flame.js';

const MOST_BYTES = 32e6;

export const stacksView = async ({params: [id], query, signal, change}) => {
  const {job, incident, objects} = await json('/incidents/' + encodeURIComponent(id), signal);
  const found = objects.filter((o) => o.kind === 'stacks').sort((a, b) => b.createdEpochNanos - a.createdEpochNanos);
  const node = el('div', {}, crumbs(job, incident, objects, 'stacks')), up = to('incident', id), title = 'Stacks';
  if (!found.length) {
    node.append(section('stacks', 'Stacks of suspects and peers', note(incident?.levels?.includes('L5') ? 'What the CPU ran is known from frames that were recorded beside the steps: the incident and its proof name them. ' : '', 'No samples of stacks were kept beside this incident. They are kept when it opens, of ranks whose agents sample stacks and may read the processes: ', el('code', {}, 'argus agent --check'), ' says what is missing on a host.')));
    return {node, title, up};
  }
  const object = found.find((o) => o.key === query.get('object')) || found[0];
  if (object.bytes > MOST_BYTES) {
    node.append(section('stacks', 'Stacks of suspects and peers', note('The file has ' + bytes(object.bytes) + ', which is too much for this page: ', el('a', {href: objectHref(object.key), download: ''}, 'download it'), '.')));
    return {node, title, up};
  }
  const read = parse(new TextDecoder().decode(await buffer('/objects/' + object.key.split('/').map(encodeURIComponent).join('/'), 'application/octet-stream', signal)));
  const suspects = new Set(incident?.ranks || []), ranks = [...new Set(read.stacks.map((s) => s.rank))];
  const ours = ranks.filter((r) => suspects.has(r)), peers = ranks.filter((r) => !suspects.has(r));
  const threads = [...new Set(read.stacks.map((s) => s.frames[0]))].sort();
  let thread = threads.includes(query.get('thread')) ? query.get('thread') : threads.find((t) => /main/i.test(t)) || '';
  const readout = el('p', {class: 'readout', 'aria-live': 'polite'}, 'Point at a frame, or move with the arrow keys, to read its shares.'), holder = el('div', {}), more = el('div', {}), hits = el('span', {class: 'note'});
  let picture = null;
  const draw = () => {
    const all = tree(read.stacks.filter((s) => !thread || s.frames[0] === thread), (r) => suspects.has(r));
    picture = flame(all, (text) => { readout.textContent = text; });
    holder.replaceChildren(picture.node);
    const lines = all.samples[0] && all.samples[1] ? differences(all.top) : [];
    more.replaceChildren(...(lines.length ? [el('h3', {}, 'Where suspects spend more than peers'), el('ol', {}, lines.map((d) => el('li', {}, el('span', {class: 'kernel'}, safe(d.name, 160)), ': ' + percent(d.a) + ' of their samples, peers ' + percent(d.b))))] : []));
  };
  draw();
  const pick = el('select', {id: 'thread', onchange: () => { thread = pick.value; change({object: query.get('object'), thread}); draw(); }}, el('option', {value: ''}, 'all threads'), threads.map((t) => el('option', {value: t}, safe(t, 80))));
  pick.value = thread;
  const legend = () => {
    const bar = el('canvas', {width: 160, height: 14, 'aria-hidden': 'true'}), c = bar.getContext('2d'), colour = diverging();
    for (let i = 0; i < 160; i++) { c.fillStyle = colour(0.18 + 0.64 * i / 159); c.fillRect(i, 0, 1, 14); }
    return el('p', {class: 'legend note'}, el('span', {}, 'less than peers ', bar, ' more than peers (ends: 25 % of the samples)'));
  };
  const legendBox = el('div', {}, ours.length && peers.length ? legend() : null);
  node.append(section('stacks', 'Stacks of suspects and peers', el('p', {}, (ours.length ? 'Suspects: ' + (ours.length === 1 ? 'rank ' : 'ranks ') + rankText(ours) + '. ' : 'No suspect\u2019s stacks are in it. ') + (peers.length ? 'Peers: ' + (peers.length === 1 ? 'rank ' : 'ranks ') + rankText(peers) + '. ' : 'No peers to hold them against. '),
    'Kept ', moment(object.createdEpochNanos), ', ', el('a', {href: objectHref(object.key), download: ''}, 'download'), '.'),
  el('div', {class: 'bar controls'}, el('label', {}, 'Thread ', pick), ours.length && peers.length ? el('label', {}, 'width by ', (() => { const s = el('select', {onchange: () => picture.width(s.value)}, el('option', {value: 'a'}, 'suspects'), el('option', {value: 'b'}, 'peers')); return s; })()) : null,
    el('label', {}, 'Find ', (() => { const f = el('input', {type: 'search', id: 'find', oninput: () => { const n = picture.find(f.value); hits.textContent = n ? n + ' frames' : ''; }}); return f; })()), hits, el('button', {type: 'button', onclick: () => picture.all()}, 'All'),
    found.length > 1 ? el('label', {}, 'of ', (() => { const s = el('select', {onchange: () => { location.hash = to('incident', id, 'stacks', {object: s.value}); }}, found.map((o) => el('option', {value: o.key}, safe(o.key.split('/').at(-1), 60)))); s.value = object.key; return s; })()) : null),
  legendBox, holder, readout, more, note('Outermost calls on top. A rank is sampled from outside, without being stopped. ', read.stacks.length ? '' : 'There is not one stack in it. ', read.bad ? plural(read.bad, 'line') + ' could not be read. ' : '', read.left ? count(read.left) + ' lines more are in the file. ' : '')));
  return {node, title: 'Stacks: ' + sentence(incident?.summary).slice(0, 60), up, paint: () => { picture.paint(); if (ours.length && peers.length) legendBox.replaceChildren(legend()); }};
};
