// A verdict from a file: what `argus diagnose --format json` wrote, opened here and nowhere else.
import {el, note, section} from './look.js';
import {count, plural, rankText, safe, sentence, RECORD, to} from './words.js';
import {evidence} from './evidence.js';
import {incidentCard} from './incident.js';

const MOST_BYTES = 256e6;
let kept = null;

const draw = (v, name) => {
  const box = el('div', {});
  const quality = v.quality || {}, job = v.job || {};
  box.append(el('section', {class: 'card ' + (v.incidents.length ? 'bad' : 'good')}, el('h1', {}, v.incidents.length ? plural(v.incidents.length, 'incident') : 'Nothing is wrong that Argus could see'),
    el('p', {}, safe(name, 100) + ': ' + count(quality.ranksRead ?? job.ranks ?? 0) + ' of ' + count(quality.ranksExpected ?? job.ranks ?? 0) + ' ranks read, ' + plural(job.hosts ?? 0, 'host') + (job.steps ? ', steps ' + count(job.steps[0]) + ' to ' + count(job.steps[1]) : '') + '.')));
  v.incidents.slice(0, 50).forEach((i) => {
    const card = incidentCard(null, i, null, RECORD);
    card.removeAttribute('id');
    box.append(card, section('', 'Why we believe it', ...evidence(i)));
  });
  if (v.observations?.length) box.append(section('', 'Observations: explain slowness, need no action', el('ul', {}, v.observations.slice(0, 100).map((o) => el('li', {}, el('strong', {}, safe(o.kind, 40)), ': ', sentence(o.summary))))));
  if (quality.problems?.length) box.append(section('', 'Data quality', el('ul', {}, quality.problems.slice(0, 100).map((p) => el('li', {}, safe(p.kind, 40) + (p.ranks?.length ? ', ranks ' + rankText(p.ranks) : '') + ': ' + sentence(p.detail))))));
  return box;
};

export const fileView = async () => {
  const out = el('div', {}), said = el('p', {class: 'note', role: 'status'});
  const take = async (file) => {
    if (!file) return;
    try {
      if (file.size > MOST_BYTES) throw new Error('the file has more than 256 MB');
      const v = JSON.parse(await file.text());
      if (v.schema !== 'argus.verdict/1' || !Array.isArray(v.incidents)) throw new Error('it is no verdict: "schema" is ' + safe(JSON.stringify(v.schema), 40) + ', expected "argus.verdict/1"');
      kept = draw(v, file.name);
      out.replaceChildren(kept);
      said.textContent = '';
    } catch (e) {
      said.textContent = 'This file cannot be shown: ' + safe(e.message, 300);
    }
  };
  const pick = el('input', {type: 'file', accept: '.json,application/json', id: 'file', onchange: () => take(pick.files[0])});
  const node = el('div', {}, section('open', 'Open a verdict', el('p', {}, el('label', {}, 'A file of ', el('code', {}, 'argus diagnose DIR --format json'), ': ', pick), ' or drop it here. It stays in this browser.'), said,
    note('With pictures, as one file that needs no server: argus diagnose DIR --format html.')), out);
  node.addEventListener('dragover', (e) => e.preventDefault());
  node.addEventListener('drop', (e) => { e.preventDefault(); take(e.dataTransfer.files[0]); });
  if (kept) out.append(kept);
  return {node, title: 'Open a file', up: to('')};
};
