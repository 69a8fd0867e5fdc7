// The frame around all views: addresses, theme, live connection, keyboard.
import {el, root} from './look.js';
import {listen, Failure} from './api.js';
import {clock, link, to} from './words.js';
import {overview} from './overview.js';
import {jobView} from './job.js';
import {incidentView} from './incident.js';
import {stepsView} from './steps.js';
import {heatView} from './heat.js';
import {kernelsView} from './kernels.js';
import {waitsView} from './waits.js';
import {timelineView} from './timeline.js';
import {stacksView} from './stacks.js';
import {fileView} from './file.js';

// First part of the path, how many parts follow, last part if it is a word.
const ROUTES = [
  [['']], overview, [['job', null]], jobView, [['job', null, 'steps']], stepsView, [['job', null, 'heat']], heatView,
  [['job', null, 'kernels']], kernelsView, [['job', null, 'waits']], waitsView, [['incident', null]], incidentView,
  [['incident', null, 'timeline']], timelineView, [['incident', null, 'stacks']], stacksView, [['file']], fileView,
];

const page = document.getElementById('page');
const notice = document.getElementById('notice');
let current = null, connection = 'new', since = new Date(), number = 0;

// ---- theme

const prefers = matchMedia('(prefers-color-scheme: dark)');
const stored = () => { try { return localStorage.getItem('argus-theme'); } catch { return null; } };
const setTheme = (name, keep) => {
  root.setAttribute('data-theme', name);
  if (keep) try { localStorage.setItem('argus-theme', name); } catch { /* private windows */ }
  current?.view.paint?.();
};
setTheme(stored() || (prefers.matches ? 'dark' : 'light'), false);
prefers.addEventListener('change', () => { if (!stored()) setTheme(prefers.matches ? 'dark' : 'light', false); });
const switchTheme = () => setTheme(root.getAttribute('data-theme') === 'dark' ? 'light' : 'dark', true);

// ---- bar

const state = el('span', {class: 'state', id: 'state'}, 'connecting');
const help = el('dialog', {id: 'help', 'aria-label': 'Keys'},
  el('h2', {}, 'Keys'),
  el('dl', {}, [['g o', 'overview'], ['r', 'read this view anew'], ['t', 'light or dark'], ['/', 'find a rank, a host or a place: in a job, an incident, ranks by steps'], ['Esc', 'back up: from a level to its incident, from there to the overview'],
    ['?', 'this list'], ['arrows', 'in a chart or map: move'], ['+ \u2212 0', 'in a map or timeline: nearer, farther, all'], ['Tab, Enter', 'everything else: links and buttons in their order']]
    .flatMap(([key, text]) => [el('dt', {}, el('kbd', {}, key)), el('dd', {}, text)])),
  el('form', {method: 'dialog'}, el('button', {}, 'Close')));
document.getElementById('bar').append(
  el('strong', {}, link([''], 'ARGUS')), el('nav', {'aria-label': 'Argus'}, link([''], 'Overview'), link(['file'], 'Open a file')),
  el('span', {class: 'grow'}), state,
  el('span', {class: 'controls'}, el('button', {type: 'button', onclick: () => help.showModal()}, 'Keys'), ' ',
    el('button', {type: 'button', id: 'theme', onclick: switchTheme}, 'Light / dark')));
document.body.append(help);

const say = (text) => { notice.textContent = text; };
const showState = () => {
  state.className = 'state ' + connection;
  state.textContent = connection === 'live' ? '\u25cf live' : connection === 'lost' ? '\u25cb connection lost; as of ' + clock(since) + '; trying again' : 'connecting';
};

// ---- addresses

const parse = () => {
  const [path, query = ''] = location.hash.replace(/^#\/?/, '').split('?', 2);
  let parts;
  try { parts = path.split('/').map(decodeURIComponent); } catch { parts = ['?']; }
  return {parts, query: new URLSearchParams(query)};
};
const find = (parts) => {
  for (let i = 0; i < ROUTES.length; i += 2) {
    const [pattern] = ROUTES[i];
    if (pattern.length === parts.length && pattern.every((p, k) => p === null || p === parts[k])) return [ROUTES[i + 1], parts.filter((_, k) => pattern[k] === null)];
  }
  return null;
};

const failed = (error) => el('section', {class: 'card warn', role: 'alert'}, el('h1', {}, error instanceof Failure && error.status === 404 ? 'Not found' : 'This cannot be shown'),
  el('p', {}, error instanceof Failure ? error.message : 'A mistake of this page: ' + String(error.message)), error.expected ? el('p', {class: 'note'}, 'Expected: ' + error.expected) : null,
  el('p', {}, el('button', {type: 'button', onclick: () => show(true)}, 'Try again'), ' ', link([''], 'To the overview')));

const show = async (again) => {
  const {parts, query} = parse();
  const mine = ++number, asked = location.hash;
  const before = current;
  if (help.open && !again) help.close();
  before?.stop.abort();
  before?.view.close?.();
  const stop = new AbortController();
  const waiting = setTimeout(() => { if (mine === number && !again) page.replaceChildren(el('p', {class: 'wait'}, 'Loading.')); }, 150);
  current = {view: {}, stop};
  try {
    const [make, params] = find(parts) || (() => { throw new Failure(404, 'This page has no such view.', 'an address that begins at the overview'); })();
    const view = await make({params, query, signal: stop.signal, say, redo: () => show(true), change});
    if (mine !== number) { view.close?.(); return; }
    current.view = view;
    clearTimeout(waiting);
    page.replaceChildren(view.node);
    page.dataset.shown = asked;
    document.title = (view.title ? view.title + ' - ' : '') + 'Argus';
    view.attached?.();
    since = new Date();
    if (!again) {
      say('');
      window.scrollTo(0, 0);
      page.focus({preventScroll: true});
    }
  } catch (error) {
    clearTimeout(waiting);
    if (mine !== number || error.name === 'AbortError') return;
    if (!(error instanceof Failure)) console.error(error);
    page.replaceChildren(failed(error));
    page.dataset.shown = asked;
  }
};
// Another state of the same view: in the address, for links in a chat, and no step in the history.
const change = (query) => {
  const {parts} = parse();
  history.replaceState(null, '', to(...parts, query));
};
addEventListener('hashchange', () => show(false));

// ---- keys

let went = 0;
addEventListener('keydown', (e) => {
  if (e.ctrlKey || e.metaKey || e.altKey || /^(INPUT|SELECT|TEXTAREA)$/.test(e.target.tagName) || help.open || e.defaultPrevented) return;
  if (e.key === '?') help.showModal();
  else if (e.key === 't') switchTheme();
  else if (e.key === 'r') show(true);
  else if (e.key === '/' && current?.view.find) current.view.find();
  else if (e.key === 'g') went = Date.now();
  else if (e.key === 'o' && Date.now() - went < 1500) location.hash = '#/';
  else if (e.key === 'Escape' && current?.view.up) location.hash = current.view.up;
  else return;
  e.preventDefault();
});

// ---- live

listen((type, data) => {
  since = new Date();
  if (type === 'missed') show(true);
  else current?.view.hear?.(type, data);
}, (word) => { connection = word; showState(); });
setInterval(() => { if (connection === 'live') since = new Date(); current?.view.tick?.(); }, 5000);
showState();
show(false);
