// ---- who a stopped job waits for

// A box a member: those everybody waits for stand out by colour and by a cross, for eyes that see no colour.
const whoIsMissing = (incidents) => section('hang', 'Who is waited for', ...incidents.flatMap((incident) => {
  const accused = new Set(incident.accused);
  return [el('h3', {}, incident.who + ': ' + incident.kind), ...incident.members.flatMap(([label, ranks, leftOut]) => {
    const missing = ranks.filter((rank) => accused.has(rank)).length;
    return [el('p', {}, label + ': ' + (ranks.length + leftOut) + ' members, ' + missing + ' of them waited for'),
      el('div', {class: 'members', role: 'img', 'aria-label': label + ': waited for are ranks '
        + ranks.filter((rank) => accused.has(rank)).join(', ')}, ranks.map((rank) => el('span', {class: accused.has(rank) ? 'missing' : '', title: 'rank ' + rank
        + (accused.has(rank) ? ': waited for' : '')}, (accused.has(rank) ? '\u2715' : '') + rank)), leftOut ? el('span', {}, '+' + leftOut) : null)];
  })];
}), note('Boxes are the members of a group, by rank. \u2715: has not called what the others wait in, or does not see it end. What each called is in the rows of proof.'));
