// L2: ranks by steps as colours. Which rank, in which step, against its peers.
import {css, diverging, el, factor, note, percent, section, sequential, stepText, time} from './look.js';
import {buffer, json, job as path, maybe} from './api.js';
import {count, plural, safe, to} from './words.js';
import {badness, decode, medians, MISSING, nanosOf, pasts, pyramid, ratioOf} from './heatdata.js';
import {paint, pixel, table} from './heatdraw.js';
import {BOTTOM, drawLabels, TOP} from './heatlabels.js';
import {legendParts} from './heatlegend.js';
import {finder} from './find.js';
import {accusedNow, accusedOf, around, nearness, opening, placeOf, runsOf, wholeOf} from './heatstart.js';
import {crumbs, incidentOf} from './incident.js';
import {readShape} from './shape.js';

const TYPE = 'application/x-argus-heatmap';
const MEASURES = {own: 'own time (compute, copies, idle gaps)', wait: 'exposed communication (waits, transfers)', duration: 'the whole step'};
const OUTSIDE = {outside: 'time outside phases (what no phase covers)'};
const BASES = {ratio: 'ratio to the peers\u2019 median', past: 'ratio to its own faster steps', time: 'time'};
const REACHES = {auto: 'what is there', '1.1': '1.1x', '1.2': '1.2x', '1.5': '1.5x', '2': '2x'};
const LABELS = 132, PREVIEW_STEPS = 64, PREVIEW_CELLS = 2e6;
const EVENTS = /^(checkpoint|evaluation|warmup)$/;

export const heatView = async ({params: [job], query, signal, change}) => {
  const [now, of, known] = await Promise.all([json(path(job), signal), incidentOf(query, signal), query.get('incident') ? null : json('/incidents?most=1&job=' + encodeURIComponent(job), signal)]);
  const shape = await readShape(now, signal);
  const incident = of?.incident, near = nearness(accusedOf(incident, shape), shape);
  // Whom the incident accuses, or else any that is open: marked where they stand, and only of an incident first.
  let suspects = incident ? accusedOf(incident, shape) : accusedNow(now, shape);
  const first = incident && suspects.size > 0;
  // A map opens at what shows: of an incident, or else of the costliest open one. Own time says nothing of links, nor peers of what slows all alike.
  const kind = incident?.kind ?? known?.incidents.find((i) => i.state !== 'resolved')?.kind ?? '';
  const link = /^(link|nvlink|fabric)-/.test(kind), alike = link || /^(global-slowdown|regression)$/.test(kind);
  const orders = {...(first ? {accused: 'accused first, then their hosts and peers'} : {}), rank: 'rank', host: 'host', worst: 'worst first'};
  if (shape.sets.length > 1) orders.peers = 'peers (stage)';
  shape.dimensions.forEach((d) => { if (d.size > 1) orders[d.name] = d.name + ' coordinate'; });
  // Only where it is recorded; a link to it says when it is not.
  const asked = query.get('show') === 'outside', recorded = now.live && now.lastPhases?.some((p) => p.phase === 'outside');
  const measures = {...MEASURES, ...(recorded || (asked && now.live) ? OUTSIDE : {})};
  const pick = (name, words, usual) => words[query.get(name)] ? query.get(name) : usual;
  let measure = pick('show', measures, link ? 'wait' : 'own'), basis = pick('as', BASES, measure === 'outside' ? 'time' : alike ? 'past' : 'ratio'), order = pick('by', orders, first ? 'accused' : 'rank'), reach = pick('to', REACHES, 'auto');
  let map = null, middle = null, past = null, rows = [], folded = null, view = null, cursor = null, newer = 0, work = null, wanted = new Set(), looked = query.get('find') || '', groups = [], missing = true;

  const canvas = el('canvas', {tabindex: 0, role: 'img', 'aria-describedby': 'heat-readout', 'aria-label': 'Ranks by steps as colours; arrow keys move, plus and minus come nearer and go away'});
  const over = el('canvas', {class: 'over', 'aria-hidden': 'true'});
  const box = el('div', {class: 'heat'}, canvas, over);
  const readout = el('p', {class: 'readout', id: 'heat-readout', 'aria-live': 'polite'}, 'Point at a cell, or use the arrow keys, to read its values.');
  const legend = el('div', {class: 'legend note'}), progress = el('p', {class: 'note', role: 'status'}), detail = el('div', {id: 'cell'});
  const fresh = el('button', {type: 'button', hidden: '', onclick: () => load(true)}, '');
  const controls = [];
  const control = (label, words, get, set) => {
    const box = el('select', {onchange: () => { set(box.value); box.blur(); canvas.focus({preventScroll: true}); }}, Object.entries(words).map(([value, text]) => el('option', {value}, text)));
    controls.push(() => { box.value = get(); });
    return el('label', {}, label + ' ', box);
  };
  // Not with every turn of a wheel: browsers count how often an address changes.
  let remembering = 0;
  const remember = () => {
    clearTimeout(remembering);
    remembering = setTimeout(written, 250);
  };
  const written = () => {
    if (!view || !map || signal.aborted) return;
    const same = (v) => ['top', 'bottom', 'left', 'right'].every((k) => Math.abs(v[k] - view[k]) < 0.05);
    change({incident: query.get('incident'), find: looked, show: measure, as: basis, by: order, to: reach === 'auto' ? null : reach, at: same(start()) ? null : same(whole()) ? 'all' : [view.top, view.bottom, view.left, view.right].map((v) => Math.round(v * 10) / 10).join(','),
      cell: cursor ? map.ranks[rows[cursor[0]]] + ',' + map.steps[cursor[1]] : null});
  };

  // ---- rows and values

  const groupOf = (rank) => order === 'accused' ? near(rank) : order === 'host' ? shape.hostOf(rank) : order === 'peers' ? shape.peersOf(rank) : order === 'worst' ? null : order === 'rank' ? shape.hostOf(rank) : shape.coordinates(rank).find(([n]) => n === order)?.[1] ?? null;
  const arrange = async () => {
    work?.abort();
    const mine = new AbortController();
    work = mine;
    signal.addEventListener('abort', () => mine.abort());
    if ((basis === 'ratio' || order === 'worst') && !middle) middle = await medians(map, shape.peersOf, mine.signal);
    if (basis === 'past' && !past) past = pasts(map);
    const all = Array.from(map.ranks.keys());
    const key = order === 'worst' ? badness(map, middle) : null;
    const by = order === 'rank' ? null : order === 'worst' ? (a, b) => key[b] - key[a] : order === 'host' ? (a, b) => shape.hostOf(map.ranks[a]).localeCompare(shape.hostOf(map.ranks[b]), 'en', {numeric: true})
      : (a, b) => groupOf(map.ranks[a]) - groupOf(map.ranks[b]);
    if (by) all.sort((a, b) => by(a, b) || a - b);
    const next = await pyramid(map, all, basis === 'time' ? null : basis === 'past' ? past : middle, mine.signal);
    if (mine.signal.aborted) return;
    rows = all;
    folded = next;
    groups = [];
    let before;
    rows.forEach((r, i) => { const g = groupOf(map.ranks[r]); if (i && g !== null && g !== before) groups.push(i); before = g; });
    missing = next.levels[0].cells.includes(MISSING);
  };
  const update = async (keep) => {
    progress.textContent = 'Working.';
    controls.forEach((sync) => sync());
    const row = cursor && rows[cursor[0]];
    try { await arrange(); } catch (e) { if (e.name === 'AbortError') return; throw e; }
    progress.textContent = '';
    if (!view || !keep) view = start();
    if (keep && wanted.size) follow();
    // The same rank, wherever it went.
    if (cursor) {
      cursor = [Math.max(0, rows.indexOf(row)), Math.min(cursor[1], map.steps.length - 1)];
      readout.textContent = describe(cursor);
    }
    draw();
    remember();
  };
  const whole = () => wholeOf(rows, map.steps);
  const opened = () => opening(rows.map((r) => map.ranks[r]), map.steps, incident, incident ? suspects : new Set(), order === 'accused' ? near : null);
  const start = () => clampView(opened().view);
  const show = (next) => { view = next; soon(); remember(); };

  // ---- painting

  let picture = null, colours = null, queued = false, look = null;
  const scale = () => {
    if (basis === 'time') return {low: folded.least, high: Math.max(folded.least + 1, folded.largest)};
    // The colours span what is there, at least 20 % and at most a factor of 2; beyond, the ends of the scale.
    const most = reach === 'auto' ? Math.min(1024, Math.max(1024 * Math.log2(1.2), folded.most)) : 1024 * Math.log2(Number(reach));
    return {low: -most, high: most};
  };
  const dress = () => {
    colours = table(basis === 'time' ? sequential() : diverging());
    look = {...scale(), colours, far: basis !== 'time', hatch: pixel(css('--hatch')), paper: pixel(css('--hatch-bg')), ground: pixel(css('--panel')), missing};
  };
  const size = () => {
    const width = Math.max(240, box.clientWidth), labels = width < 600 ? 60 : LABELS;
    const room = Math.max(240, Math.min(620, innerHeight - 220)), height = Math.round(Math.min(room, Math.max(90, 22 * rows.length)));
    const dpr = Math.min(2, devicePixelRatio || 1);
    return {width, labels, height, W: Math.max(1, width - labels), dpr};
  };
  let shape0 = null;
  const draw = () => {
    if (!folded || !box.isConnected) return;
    const s = size();
    if (!picture || picture.width !== s.W || picture.height !== s.height) {
      canvas.width = s.W;
      canvas.height = s.height;
      canvas.style.width = s.W + 'px';
      canvas.style.height = s.height + 'px';
      canvas.style.marginLeft = s.labels + 'px';
      canvas.style.marginTop = TOP + 'px';
      canvas.style.marginBottom = BOTTOM + 'px';
      over.width = s.width * s.dpr;
      over.height = (s.height + TOP + BOTTOM) * s.dpr;
      over.style.width = s.width + 'px';
      over.style.height = s.height + TOP + BOTTOM + 'px';
      picture = new ImageData(s.W, s.height);
    }
    shape0 = s;
    dress();
    drawLegend();
    frame();
  };
  const soon = () => { if (!queued) { queued = true; requestAnimationFrame(() => { queued = false; frame(); }); } };
  const frame = () => {
    if (!folded || !picture) return;
    paint(picture, folded, view, look);
    canvas.getContext('2d').putImageData(picture, 0, 0);
    label();
    box.dataset.frames = Number(box.dataset.frames || 0) + 1;
    box.dataset.first ||= Math.round(performance.now());
  };
  const label = () => drawLabels(over.getContext('2d'), {...shape0, view, steps: map.steps, count: rows.length, rankAt: (r) => map.ranks[rows[r]], hostOf: shape.hostOf, accused: suspects, runs: suspectRows(), found: wantedRows(), groups, marks: marks(), cursor, box: drag?.box ? drag : null});
  // Where ranks stand in the order of now; kept until the order or the ranks change.
  const placesOf = (ranks) => ranks.size ? [...rows.keys()].filter((r) => ranks.has(map.ranks[rows[r]])) : [];
  const kept = (ranksNow) => {
    let of = null, ranks = null, runs = [];
    return () => {
      if (of !== rows || ranks !== ranksNow()) { of = rows; ranks = ranksNow(); runs = runsOf(placesOf(ranks)); }
      return runs;
    };
  };
  const suspectRows = kept(() => suspects), wantedRows = kept(() => wanted);
  const columnOf = (step) => placeOf(map.steps, step);
  const marks = () => {
    const all = [];
    for (const o of now.observations || []) if (o.steps && EVENTS.test(o.kind)) all.push([columnOf(o.steps[0]), columnOf(o.steps[1] + 1) - 1, css('--event')]);
    if (incident?.steps) all.push([columnOf(incident.steps[0]), columnOf(incident.steps[1] + 1) - 1, css('--suspect')]);
    return all.filter(([a, b]) => b >= a);
  };
  const drawLegend = () => legend.replaceChildren(...legendParts({basis, look, outside: measure === 'outside', events: (now.observations || []).some((o) => EVENTS.test(o.kind)), steps: Boolean(incident?.steps), accused: suspects.size > 0, of: incident ? 'the incident' : 'open incidents', found: wanted.size > 0, link: link && (incident || !suspects.size ? true : 'open')}));

  // ---- reading

  const describe = ([r, k]) => {
    const row = rows[r], rank = map.ranks[row], at = row * map.steps.length + k, code = map.codes[at];
    const where = shape.name(rank) + ', ' + stepText(map.steps[k], map.steps[k]);
    if (!code) return where + (measure === 'outside' ? ': no phase recorded' : ': not reported');
    const peers = middle?.of[middle.set[row]][k] || 0, label = shape.sets[shape.peersOf(rank)]?.label;
    return where + ': ' + time(nanosOf(code)) + ' of ' + measures[measure] + (peers ? ', ' + factor(ratioOf(code - peers)) + ' the peers\u2019 median' + (label ? ' (' + safe(label, 40) + ')' : '') : basis === 'ratio' ? ', no peers to compare with' : '')
      + (past?.row[row] ? ', ' + factor(ratioOf(code - past.row[row])) + ' its own faster steps' : '') + (suspects.has(rank) ? '; accused' : '');
  };
  const select = (r, k, follow) => {
    cursor = [Math.min(rows.length - 1, Math.max(0, r)), Math.min(map.steps.length - 1, Math.max(0, k))];
    readout.textContent = describe(cursor);
    if (follow) {
      const h = view.bottom - view.top, w = view.right - view.left;
      if (cursor[0] < view.top) view = {...view, top: cursor[0], bottom: cursor[0] + h};
      if (cursor[0] + 1 > view.bottom) view = {...view, top: cursor[0] + 1 - h, bottom: cursor[0] + 1};
      if (cursor[1] < view.left) view = {...view, left: cursor[1], right: cursor[1] + w};
      if (cursor[1] + 1 > view.right) view = {...view, left: cursor[1] + 1 - w, right: cursor[1] + 1};
      soon();
    } else label();
  };
  let waiting = 0;
  const open = async (again = 0) => {
    clearTimeout(waiting);
    if (!cursor || signal.aborted) return;
    const rank = map.ranks[rows[cursor[0]]], step = map.steps[cursor[1]];
    remember();
    const said = await maybe(path(job) + '/ranks/' + rank + '/steps?from=' + step + '&to=' + step, signal).catch(() => null);
    const row = said?.steps?.[0];
    if (!row && again < 10) waiting = setTimeout(() => open(again + 1), 1500);
    const share = (n) => n === null ? 'unknown' : time(n) + (row.durationNanos ? ' (' + percent(n / row.durationNanos) + ')' : '');
    detail.replaceChildren(el('h3', {}, shape.name(rank) + ', ' + stepText(step, step)), row ? el('dl', {}, [['whole step', time(row.durationNanos ?? NaN)], ['compute', share(row.computeNanos)], ['copies', share(row.copyNanos)],
      ['exposed communication', share(row.exposedCommNanos)], ['idle gaps', share(row.idleNanos)]].flatMap(([k, v]) => [el('dt', {}, k), el('dd', {}, v)])) : note('This step is written down with the next checkpoint, some seconds later.'));
  };

  // ---- finding

  const follow = () => {
    const places = placesOf(wanted);
    if (places.length) view = clampView(around(places, view, rows.length));
    return places;
  };
  const found = (result, text) => {
    looked = text;
    wanted = new Set(result?.ranks || []);
    if (!folded) return;
    const places = result ? follow() : [];
    missed.textContent = !result ? '' : !places.length ? 'Nothing was reported of ' + result.what + ' in these steps: this map has no row of it.'
      : places.length < wanted.size ? count(wanted.size - places.length) + ' of ' + plural(wanted.size, 'rank') + ' have no row: nothing was reported of them in these steps.' : '';
    if (places.length) {
      select(places[0], cursor ? cursor[1] : Math.ceil(view.right) - 1);
      if (begun) canvas.focus({preventScroll: true});
    }
    draw();
    remember();
  };
  let begun = false;
  const field = finder({value: looked, read: async () => ({shape, size: shape.worldSize || now.ranks || map?.ranks.length || 0}), show: found});
  const missed = el('p', {class: 'note warned', role: 'status'});

  // ---- moving

  const clampView = (v) => {
    const fit = (a, b, least, most) => {
      const n = Math.min(most, Math.max(Math.min(least, most), b - a)), from = Math.min(most - n, Math.max(0, a + (b - a - n) / 2));
      return [from, from + n];
    };
    const [top, bottom] = fit(v.top, v.bottom, 4, rows.length), [left, right] = fit(v.left, v.right, 4, map.steps.length);
    return {top, bottom, left, right};
  };
  const zoom = (by, row, column) => {
    view = clampView({top: row - (row - view.top) * by, bottom: row + (view.bottom - row) * by, left: column - (column - view.left) * by, right: column + (view.right - column) * by});
    soon();
  };
  const pan = (dr, dc) => {
    const h = view.bottom - view.top, w = view.right - view.left, top = Math.min(rows.length - h, Math.max(0, view.top + dr)), left = Math.min(map.steps.length - w, Math.max(0, view.left + dc));
    view = {top, bottom: top + h, left, right: left + w};
    soon();
  };
  const place = (e) => {
    const b = canvas.getBoundingClientRect(), x = e.clientX - b.left, y = e.clientY - b.top;
    return {x, y, row: view.top + y / b.height * (view.bottom - view.top), column: view.left + x / b.width * (view.right - view.left)};
  };
  let drag = null;
  canvas.addEventListener('pointerdown', (e) => {
    if (e.button > 1 || !folded) return;
    const p = place(e);
    drag = {...p, nowX: p.x, nowY: p.y, moved: false, box: !e.shiftKey && e.button === 0 && e.pointerType !== 'touch', last: p};
    canvas.setPointerCapture(e.pointerId);
  });
  canvas.addEventListener('pointermove', (e) => {
    if (!folded) return;
    const p = place(e);
    if (!drag) { select(Math.floor(p.row), Math.floor(p.column)); return; }
    drag.moved ||= Math.hypot(p.x - drag.x, p.y - drag.y) > 4;
    if (!drag.moved) return;
    if (drag.box) { drag.nowX = p.x; drag.nowY = p.y; label(); } else { pan(drag.row - p.row, drag.column - p.column); }
  });
  canvas.addEventListener('pointerup', (e) => {
    if (!drag) return;
    const p = place(e), d = drag;
    drag = null;
    if (!d.moved) { select(Math.floor(p.row), Math.floor(p.column)); open(); } else if (d.box) {
      view = clampView({top: Math.floor(Math.min(p.row, d.row)), bottom: Math.ceil(Math.max(p.row, d.row)), left: Math.floor(Math.min(p.column, d.column)), right: Math.ceil(Math.max(p.column, d.column))});
      soon();
    }
    remember();
  });
  canvas.addEventListener('pointercancel', () => { drag = null; label(); });
  canvas.addEventListener('dblclick', () => show(whole()));
  canvas.addEventListener('wheel', (e) => {
    if (!folded || (document.activeElement !== canvas && !e.ctrlKey)) return;
    e.preventDefault();
    const p = place(e);
    if (e.shiftKey) pan((view.bottom - view.top) * Math.sign(e.deltaY || e.deltaX) / 8, 0); else zoom(e.deltaY > 0 ? 1.25 : 0.8, p.row, p.column);
    remember();
  }, {passive: false});
  const cycle = (words, value) => { const keys = Object.keys(words); return keys[(keys.indexOf(value) + 1) % keys.length]; };
  canvas.addEventListener('keydown', (e) => {
    if (!folded || e.ctrlKey || e.metaKey || e.altKey) return;
    const [r, k] = cursor || [Math.floor(view.top), Math.floor(view.left)];
    const page = Math.max(1, Math.round((view.bottom - view.top) / 2)), far = e.shiftKey ? 10 : 1;
    const where = {ArrowUp: [r - far, k], ArrowDown: [r + far, k], ArrowLeft: [r, k - far], ArrowRight: [r, k + far], Home: [r, 0], End: [r, map.steps.length - 1], PageUp: [r - page, k], PageDown: [r + page, k]}[e.key];
    if (where) select(...(cursor ? where : [r, k]), true);
    else if (e.key === '+' || e.key === '=') zoom(0.5, r + 0.5, k + 0.5);
    else if (e.key === '-') zoom(2, r + 0.5, k + 0.5);
    else if (e.key === '0') show(whole());
    else if (e.key === 'i') show(start());
    else if (e.key === 'Enter') open();
    else if (e.key === 'a') { basis = cycle(BASES, basis); update(true); }
    else if (e.key === 'm') setMeasure(cycle(measures, measure));
    else if (e.key === 'o') { order = cycle(orders, order); update(true); }
    else if (e.key === 'c') { reach = cycle(REACHES, reach); controls.forEach((sync) => sync()); draw(); } else if (e.key === 'n' && newer) load(true);
    else return;
    e.preventDefault();
    remember();
  });

  // Little of it is usual, so that ratios of it mean little: times first.
  const setMeasure = (to) => {
    if (to === 'outside') basis = 'time'; else if (measure === 'outside') basis = alike ? 'past' : 'ratio';
    measure = to;
    load(true);
  };

  // ---- data

  const read = async (from) => decode(await buffer(path(job) + '/heatmap?value=' + measure + (from ? '&from=' + from : ''), TYPE, signal));
  const take = async (next, keep) => {
    const cell = cursor ? [map.ranks[rows[cursor[0]]], map.steps[cursor[1]]] : null;
    const end = view && map && view.right >= map.steps.length, from = view && map ? map.steps[Math.max(0, Math.floor(view.left))] : null, wide = view ? view.right - view.left : 0;
    map = next;
    middle = past = null;
    folded = null;
    cursor = null;
    if (!map.ranks.length || !map.steps.length) { progress.textContent = now.live ? 'No step is in memory yet: they come with the next steps of the job.' : 'No step of its ranks was kept.'; return; }
    await update(keep);
    if (!folded) return;
    if (measure === 'outside' && !map.codes.some((code) => code)) progress.textContent = 'No rank recorded phases in these steps: what lies outside them is not known. Phases come with the Python producer, and with ranges of NVTX or record_function in training code.';
    if (keep && from !== null) {
      const left = end ? Math.max(0, map.steps.length - wide) : columnOf(from);
      view = clampView({...view, left, right: left + wide});
    }
    if (cell) {
      const r = rows.findIndex((i) => map.ranks[i] === cell[0]);
      if (r >= 0) select(r, columnOf(cell[1]));
    }
    draw();
    if (!opened().inside) progress.textContent = 'The ' + stepText(...incident.steps) + ' of the incident are not in this map: it has the ' + stepText(map.steps[0], map.steps.at(-1)) + '.';
  };
  const load = async (keep) => {
    newer = 0;
    fresh.hidden = true;
    progress.textContent = 'Loading.';
    try {
      // Of a large job the newest steps first: they are there at once.
      if (!keep && now.live && now.ranks * Math.min(1000, now.newestStep + 1) > PREVIEW_CELLS) {
        await take(await read(Math.max(1, now.newestStep - PREVIEW_STEPS + 1)), false);
        progress.textContent = 'These are the newest steps; the others are loading.';
        box.dataset.state = 'preview';
        view = null;
      }
      await take(await read(0), keep);
      box.dataset.state = 'whole';
      box.dataset.whole ||= Math.round(performance.now());
    } catch (e) {
      if (e.name === 'AbortError') return;
      progress.replaceChildren('The map could not be loaded: ' + e.message + ' ', el('button', {type: 'button', onclick: () => load(keep)}, 'Try again'));
    }
  };
  const restore = () => {
    if (!folded) return;
    const at = (query.get('at') || '').split(',').map(Number), cell = (query.get('cell') || '').split(',').map(Number);
    if (query.get('at') === 'all') view = whole();
    else if (at.length === 4 && at.every(Number.isFinite)) view = clampView({top: at[0], bottom: at[1], left: at[2], right: at[3]});
    if (cell.length === 2 && cell.every(Number.isFinite)) {
      const r = rows.findIndex((i) => map.ranks[i] === cell[0]);
      if (r >= 0) select(r, columnOf(cell[1]), true);
    }
    draw();
    if (looked) {
      const at = query.get('at') && view;
      field.begin()?.then(() => { if (at) { view = at; draw(); remember(); } begun = true; });
    } else begun = true;
  };
  const node = el('div', {}, crumbs(job, incident, of?.objects, 'heat'), section('heat', 'Ranks by steps',
    el('div', {class: 'bar controls'}, control('Show', measures, () => measure, setMeasure), control('as', BASES, () => basis, (v) => { basis = v; update(true); }),
      control('rows by', orders, () => order, (v) => { order = v; update(true); }), control('colours up to', REACHES, () => reach, (v) => { reach = v; draw(); remember(); }), el('button', {type: 'button', onclick: () => show(whole())}, 'All'), incident ? el('button', {type: 'button', onclick: () => show(start())}, 'Incident') : null, fresh),
    field.node, missed, legend, progress, box, readout, detail,
    el('p', {class: 'note keys'}, 'Drag: nearer. Shift-drag: move. Wheel, when the map is in focus: nearer, farther. Double click: all. Click: that rank in that step. Keys: ', el('kbd', {}, 'arrows'), ' ', el('kbd', {}, '+'), ' ', el('kbd', {}, '\u2212'), ' ', el('kbd', {}, '0'), incident ? [' ', el('kbd', {}, 'i'), ' the incident'] : null,
      ', ', el('kbd', {}, 'a'), ' ratio, past or time, ', el('kbd', {}, 'm'), ' what is shown, ', el('kbd', {}, 'o'), ' order of rows, ', el('kbd', {}, 'c'), ' colours, ', el('kbd', {}, '/'), ' find a rank, ', el('kbd', {}, 'Enter'), ' that cell.'),
    asked && !now.live ? note('Time outside phases is not kept of a job that is not watched any more: own time is shown.') : null,
    now.live ? null : note('The job is not watched any more: these are steps that were kept, and its groups were not: each rank is held against all others.'),
    note('Peers are the ranks that do the same work, in the same step. Where several ranks or steps share a pixel, the largest is shown; a cell far off and alone is drawn three pixels wide. A late rank\u2019s communication is short, that of its victims long.')));
  let width = innerWidth;
  const resized = () => { if (innerWidth !== width) { width = innerWidth; draw(); } };
  addEventListener('resize', resized);
  controls.forEach((sync) => sync());
  return {
    node, title: 'Ranks by steps of ' + safe(job, 60), up: incident ? to('incident', incident.id) : to('job', job),
    attached: () => load(false).then(restore), find: field.focus,
    paint: () => { picture = null; draw(); },
    hear: (type, data) => {
      if (type === 'incident' && data.job === job && !incident) {
        maybe(path(job), signal).then((next) => { suspects = accusedNow(next, shape); draw(); }, () => {});
        return;
      }
      if (type !== 'step' || data.job !== job || !map) return;
      newer++;
      fresh.hidden = false;
      fresh.textContent = 'Show ' + plural(newer, 'newer step') + ' (n)';
      if (!map.steps.length) load(false);
    },
    close: () => { work?.abort(); clearTimeout(remembering); clearTimeout(waiting); removeEventListener('resize', resized); },
  };
};
