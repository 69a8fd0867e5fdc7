// Reads the timelines that Argus writes: protocol buffers of Perfetto, one packet sequence, slices on tracks. Bounded; what it does not know it skips.

const MOST_SLICES = 2e6, MOST_TRACKS = 20000, MOST_UNPACKED = 256e6, MOST_DEPTH = 512;

const text = new TextDecoder();

/** Walks over the fields of a message: tell(number, value or part of the bytes), fixed(number, part) of eight bytes, where they are wanted. Throws a RangeError where it is cut. */
const walk = (b, from, to, tell, fixed) => {
  let at = from;
  const varint = () => {
    let value = 0, factor = 1;
    for (let k = 0; k < 10; k++) {
      if (at >= to) throw new RangeError('cut');
      const byte = b[at++];
      value += (byte & 127) * factor;
      if (byte < 128) return value;
      factor *= 128;
    }
    return value;
  };
  while (at < to) {
    const tag = varint(), field = Math.floor(tag / 8), kind = tag % 8;
    if (kind === 0) {
      const begin = at;
      let value = varint();
      if (at - begin === 10) value = negative(b, begin);
      tell(field, value);
    } else if (kind === 2) {
      const n = varint();
      if (n > to - at) throw new RangeError('cut');
      tell(field, {from: at, to: at + n});
      at += n;
    } else if (kind === 1 || kind === 5) {
      at += kind === 1 ? 8 : 4;
      if (at > to) throw new RangeError('cut');
      if (kind === 1 && fixed) fixed(field, {from: at - 8, to: at});
    } else throw new RangeError('a field of kind ' + kind);
  }
};
const negative = (b, at) => {
  let value = 0n;
  for (let k = 0; k < 10; k++) value |= BigInt(b[at + k] & 127) << BigInt(7 * k);
  return Number(BigInt.asIntN(64, value));
};

const inflate = async (bytes, room) => {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate')), reader = stream.getReader(), parts = [];
  let size = 0;
  for (;;) {
    const {done, value} = await reader.read();
    if (done) break;
    size += value.length;
    if (size > room) { reader.cancel(); throw new RangeError('too large when unpacked'); }
    parts.push(value);
  }
  const all = new Uint8Array(size);
  let at = 0;
  for (const p of parts) { all.set(p, at); at += p.length; }
  return all;
};

/**
 * Reads a file.
 *
 * @return {base: nanoseconds since the epoch, processes: [{name, labels, tracks: [{name, slices: [{start, end, depth, name, flow: the same for all members of a collective, or null}]}]}], problem}; times in ns from the base
 */
export const readTimeline = async (buffer) => {
  const tracks = new Map(), names = new Map(), clocks = new Map();
  const state = {base: 0, clock: 0, track: 0, slices: 0, unpacked: 0, problem: '', begun: false};
  const process = (b, from, to) => {
    let time = null, clock = state.clock, event = null;
    walk(b, from, to, (field, v) => {
      if (field === 8) time = v;
      else if (field === 58) clock = v;
      else if (field === 11) event = v;
      else if (field === 6) snapshot(b, v);
      else if (field === 59) defaults(b, v);
      else if (field === 12) interned(b, v);
      else if (field === 60) descriptor(b, v);
    });
    // A packet with defaults states the clock in them, too: those that follow count on from here.
    if (event !== null && time !== null) slice(b, event, now(clock, time));
  };
  const snapshot = (b, part) => walk(b, part.from, part.to, (field, v) => {
    if (field !== 1) return;
    const c = {id: 0, at: 0, incremental: false, unit: 1};
    walk(b, v.from, v.to, (f, x) => { if (f === 1) c.id = x; else if (f === 2) c.at = x; else if (f === 3) c.incremental = x !== 0; else if (f === 4) c.unit = x; });
    if (!state.begun && c.incremental) { state.base = c.at * c.unit; state.begun = true; }
    clocks.set(c.id, {...c, time: c.at * c.unit - state.base});
  });
  const now = (id, time) => {
    const c = clocks.get(id);
    if (!c?.incremental) return time - state.base;
    c.time += time * c.unit;
    return c.time;
  };
  const defaults = (b, part) => walk(b, part.from, part.to, (field, v) => {
    if (field === 58) state.clock = v;
    else if (field === 11) walk(b, v.from, v.to, (f, x) => { if (f === 11) state.track = x; });
  });
  const interned = (b, part) => walk(b, part.from, part.to, (field, v) => {
    if (field !== 2) return;
    let id = 0, name = '';
    walk(b, v.from, v.to, (f, x) => { if (f === 1) id = x; else if (f === 2) name = text.decode(b.subarray(x.from, x.to)); });
    names.set(id, name);
  });
  const trackOf = (id) => {
    let t = tracks.get(id);
    if (!t) {
      if (tracks.size >= MOST_TRACKS) throw new RangeError('too many tracks');
      tracks.set(id, t = {id, name: '', parent: null, process: null, order: 0, labels: [], slices: [], open: [], counter: false});
    }
    return t;
  };
  const descriptor = (b, part) => {
    const d = {uuid: 0, name: '', parent: null, process: null, order: 0, labels: [], pid: null, counter: false};
    walk(b, part.from, part.to, (field, v) => {
      if (field === 1) d.uuid = v;
      else if (field === 2) d.name = text.decode(b.subarray(v.from, v.to));
      else if (field === 5) d.parent = v;
      else if (field === 12) d.order = v;
      else if (field === 8) d.counter = true;
      else if (field === 3) {
        d.process = '';
        walk(b, v.from, v.to, (f, x) => { if (f === 1) d.own = x; else if (f === 6) d.process = text.decode(b.subarray(x.from, x.to)); else if (f === 8) d.labels.push(text.decode(b.subarray(x.from, x.to))); });
      } else if (field === 4) walk(b, v.from, v.to, (f, x) => { if (f === 1) d.pid = x; else if (f === 5) d.name = text.decode(b.subarray(x.from, x.to)); });
    });
    Object.assign(trackOf(d.uuid), d);
  };
  const slice = (b, part, time) => {
    let type = 0, id = state.track, name = null, flow = null;
    walk(b, part.from, part.to, (field, v) => {
      if (field === 9) type = v;
      else if (field === 11) id = v;
      else if (field === 10) name = names.get(v) ?? '?';
      else if (field === 23) name = text.decode(b.subarray(v.from, v.to));
    }, (field, v) => { if (field === 47) flow = String.fromCharCode(...b.subarray(v.from, v.to)); });
    const t = trackOf(id);
    if (type === 1) {
      if (++state.slices > MOST_SLICES) throw new RangeError('more than ' + MOST_SLICES + ' slices');
      const s = {start: time, end: NaN, depth: t.open.length, name: name ?? '?', flow};
      t.slices.push(s);
      if (t.open.length < MOST_DEPTH) t.open.push(s);
    } else if (type === 2) {
      const s = t.open.pop();
      if (s) s.end = time;
    } else if (type === 3) t.slices.push({start: time, end: time, depth: 0, name: name ?? '?'});
  };
  const packets = async (b) => {
    const all = [];
    try { walk(b, 0, b.length, (field, v) => { if (field === 1 && typeof v === 'object') all.push(v); }); } catch (e) { state.problem = 'The file ends before its time: what is shown is what could be read.'; }
    for (const p of all) {
      let packed = null;
      walk(b, p.from, p.to, (field, v) => { if (field === 50) packed = v; });
      if (packed) {
        const inside = await inflate(b.subarray(packed.from, packed.to), MOST_UNPACKED - state.unpacked);
        state.unpacked += inside.length;
        await packets(inside);
      } else process(b, p.from, p.to);
    }
  };
  try {
    await packets(new Uint8Array(buffer));
  } catch (e) {
    state.problem = 'Not all of it could be read (' + e.message + '): what is shown is what could.';
  }
  return {base: state.base, problem: state.problem, processes: arrange(tracks)};
};

const arrange = (tracks) => {
  const processes = [...tracks.values()].filter((t) => t.process !== null).map((t) => ({id: t.id, own: t.own, name: t.process, labels: t.labels, order: t.order, tracks: new Map()}));
  const byId = new Map(processes.map((p) => [p.id, p])), byPid = new Map(processes.map((p) => [p.own, p]));
  const other = {id: -1, name: 'other', labels: [], order: 1e9, tracks: new Map()};
  for (const t of tracks.values()) {
    if (t.process !== null || t.counter || !t.slices.length) continue;
    let p = t.pid !== null ? byPid.get(t.pid) : null, group = '';
    for (let up = t.parent, k = 0; !p && up !== null && k < 8; k++) {
      p = byId.get(up);
      const above = tracks.get(up);
      if (!p && above) group = above.name;
      up = above?.parent ?? null;
    }
    p ||= other;
    const name = (group ? group + ' / ' : '') + (t.name || 'track');
    const known = p.tracks.get(name);
    const last = t.slices.reduce((a, s) => Math.max(a, Number.isFinite(s.end) ? s.end : s.start), -Infinity);
    for (const s of t.slices) if (!Number.isFinite(s.end)) s.end = Math.max(last, s.start);
    // Lanes of one track lie below each other.
    if (known) {
      const deep = known.depth;
      t.slices.forEach((s) => { s.depth += deep; known.slices.push(s); });
      known.depth = deep + 1 + t.slices.reduce((a, s) => Math.max(a, s.depth - deep), 0);
    } else p.tracks.set(name, {name, order: t.order + (group ? 0.5 : 0), slices: t.slices, depth: 1 + t.slices.reduce((a, s) => Math.max(a, s.depth), 0)});
  }
  if (other.tracks.size) processes.push(other);
  return processes.filter((p) => p.tracks.size).sort((a, b) => a.order - b.order).map((p) => ({...p, tracks: [...p.tracks.values()].sort((a, b) => a.order - b.order).map((t) => ({...t, slices: t.slices.sort((a, b) => a.start - b.start || b.end - a.end)}))}));
};
