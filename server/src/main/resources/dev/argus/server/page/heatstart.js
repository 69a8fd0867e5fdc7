// How a map opens: of an incident, its steps and the rows around its suspects.

const ROWS = 40, OTHERS = 16, BESIDE = 8, STEPS = 12;

/** Ranks that an incident accuses; where it accuses hosts alone, the ranks on them. */
export const accusedOf = (incident, shape) => {
  if (!incident) return new Set();
  if (incident.ranks?.length) return new Set(incident.ranks);
  const hosts = new Set(incident.hosts || []);
  return new Set(hosts.size ? Array.from({length: shape.worldSize}, (_, r) => r).filter((r) => hosts.has(shape.hostOf(r))) : []);
};

/** Ranks that any open incident of a job accuses; the job as the interface tells it. */
export const accusedNow = (job, shape) => new Set((job?.openIncidents || []).filter((i) => i.state !== 'resolved').flatMap((i) => [...accusedOf(i, shape)]));

/** How near a rank is to the accused: 0 accused, 1 on a host of theirs, 2 doing the same work, 3 none of it. */
export const nearness = (accused, shape) => {
  const hosts = new Set([...accused].map(shape.hostOf).filter(Boolean)), sets = new Set([...accused].map(shape.peersOf).filter((s) => s >= 0));
  return (rank) => accused.has(rank) ? 0 : hosts.has(shape.hostOf(rank)) ? 1 : sets.has(shape.peersOf(rank)) ? 2 : 3;
};

/** The first place in ascending numbers that is not below. */
export const placeOf = (list, value) => {
  let a = 0, b = list.length;
  while (a < b) { const m = (a + b) >> 1; if (list[m] < value) a = m + 1; else b = m; }
  return a;
};

/** A view with all of these rows and some around them, its columns as they were. */
export const around = (places, view, count) => {
  const least = places.reduce((a, b) => Math.min(a, b)), end = places.reduce((a, b) => Math.max(a, b)) + 1;
  const high = Math.min(count, Math.max(end - least + 2 * BESIDE, Math.min(view.bottom - view.top, ROWS))), top = Math.max(0, Math.min(count - high, (least + end - high) / 2));
  return {...view, top, bottom: top + high};
};

/** Neighbouring places as runs [from, to). */
export const runsOf = (places) => {
  const runs = [];
  for (const r of places) if (runs.at(-1)?.[1] === r) runs.at(-1)[1]++; else runs.push([r, r + 1]);
  return runs;
};

/** All of a map. */
export const wholeOf = (ranks, steps) => ({top: 0, bottom: ranks.length, left: 0, right: steps.length});

/**
 * What to show first. Steps of the incident with a third of them before and after, at least 12; accused rows with those near to them, up to some 40 in all.
 *
 * @param ranks in the order of the rows
 * @param near nearness of a rank, where rows are ordered by it, else null
 * @returns a view, and whether steps of the incident are in the map
 */
export const opening = (ranks, steps, incident, accused, near) => {
  const view = wholeOf(ranks, steps);
  let inside = true;
  if (incident?.steps) {
    const from = placeOf(steps, incident.steps[0]), to = placeOf(steps, incident.steps[1] + 1), more = Math.max(STEPS, Math.ceil((to - from) / 3));
    inside = to > from;
    if (inside) Object.assign(view, {left: Math.max(0, from - more), right: Math.min(steps.length, to + more)});
  }
  const places = [...ranks.keys()].filter((r) => accused.has(ranks[r]));
  if (places.length && ranks.length > ROWS) {
    if (near) {
      const related = ranks.reduce((n, rank) => n + (near(rank) < 3), 0) - places.length;
      view.bottom = Math.min(ranks.length, places.length + Math.max(OTHERS, Math.min(related, Math.max(ROWS - places.length, places.length >> 1))));
    } else Object.assign(view, {top: Math.max(0, places[0] - BESIDE), bottom: Math.min(ranks.length, places.at(-1) + 1 + BESIDE)});
  }
  return {view, inside};
};
