// Who runs where and does what: host, GPU, peers and coordinates of ranks.
import {maybe, job as path} from './api.js';
import {parseRanks, safe} from './words.js';

/** Reads the shape of a job, given in short; of one that is not watched its groups are not known. */
export const readShape = async (job, signal) => {
  const said = job ? await maybe(path(job.job) + '/shape', signal) : null;
  const host = new Map(), gpu = new Map(), peers = new Map(), hosts = new Map();
  const sets = (said?.peers || []).map((p) => ({label: p.label, ranks: parseRanks(p.ranks)}));
  for (const h of said?.hosts || []) {
    const on = parseRanks(h.ranks);
    if (h.host) hosts.set(h.host, on);
    on.forEach((rank, i) => {
      host.set(rank, h.host);
      if (h.gpus[i] >= 0) gpu.set(rank, h.gpus[i]);
    });
  }
  sets.forEach((set, i) => set.ranks.forEach((rank) => { if (!peers.has(rank)) peers.set(rank, i); }));
  const dimensions = said?.dimensions || [];
  const coordinates = (rank) => {
    const all = [];
    let left = rank;
    for (const d of dimensions) {
      if (d.size > 1) all.push([d.name, left % d.size]);
      left = Math.floor(left / d.size);
    }
    return all;
  };
  return {
    known: said !== null && said.worldSize > 0, dimensions, sets, hosts, worldSize: said?.worldSize || 0,
    hostOf: (rank) => host.get(rank) || '',
    gpuOf: (rank) => gpu.get(rank) ?? null,
    peersOf: (rank) => peers.get(rank) ?? -1,
    coordinates,
    // rank 37 on n4 GPU 5 (tp 1, dp 2)
    name: (rank) => 'rank ' + rank + (host.get(rank) ? ' on ' + safe(host.get(rank), 60) : '') + (gpu.has(rank) ? ' GPU ' + gpu.get(rank) : '')
      + (dimensions.some((d) => d.size > 1) ? ' (' + coordinates(rank).map(([n, c]) => n + ' ' + c).join(', ') + ')' : ''),
  };
};

/** What sets suspects apart from their peers: attributes by how well they separate, best first. */
export const apart = (shape, suspects) => {
  const accused = new Set(suspects);
  const sets = new Set(suspects.map(shape.peersOf));
  const peers = [...sets].flatMap((s) => shape.sets[s]?.ranks || []).filter((r) => !accused.has(r));
  if (!peers.length) return [];
  const found = [];
  const look = (what, of) => {
    const values = new Map();
    suspects.forEach((r) => { const v = of(r); if (v !== null && v !== '') values.set(v, (values.get(v) || 0) + 1); });
    for (const [value, n] of values) {
      const others = peers.filter((r) => of(r) === value).length;
      found.push({what, value, suspects: n, of: suspects.length, peers: others, ofPeers: peers.length, score: n / suspects.length - others / peers.length});
    }
  };
  look('host', shape.hostOf);
  look('GPU index', shape.gpuOf);
  shape.dimensions.forEach((d, i) => { if (d.size > 1) look(d.name, (r) => shape.coordinates(r).find(([n]) => n === d.name)?.[1] ?? null); });
  return found.filter((f) => f.score > 0.2).sort((a, b) => b.score - a.score || b.suspects - a.suspects).slice(0, 5);
};
