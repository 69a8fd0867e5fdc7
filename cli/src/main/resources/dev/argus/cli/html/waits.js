// ---- who waited for whom

const ledger = (attempt) => {
  const w = attempt.waits;
  if (!w.rows.length) {
    return section('waits', 'Who made whom wait', note('No wait was found: no collectives could be matched across ranks, or all ranks came together.'));
  }
  const single = w.rows.filter((r) => r.late.startsWith('rank '));
  const most = (single.length ? single : w.rows).reduce((a, r) => Math.max(a, ...r.nanos), 1);
  const small = most < 1e9;
  const unit = small ? 1e6 : 1e9;
  const decimals = Math.min(3, Math.max(0, 3 - Math.floor(Math.log10(most / unit) + 1e-9)));
  const amount = (nanos) => nanos > 0 && nanos / unit < 0.5 * 10 ** -decimals ? '< ' + (10 ** -decimals)
    : (nanos / unit).toLocaleString('en', {minimumFractionDigits: decimals, maximumFractionDigits: decimals});
  const ranksOnly = w.columns.every((c) => c.startsWith('rank '));
  const sums = w.columns.map((_, c) => w.rows.reduce((a, r) => a + r.nanos[c], 0));
  const cells = [];
  const body = w.rows.map((row) => el('tr', {}, el('th', {class: 'rank' + (row.accused ? ' suspect' : '')}, (row.accused ? '\u25b6 ' : '') + row.late), row.nanos.map((nanos) => {
    const td = el('td', {class: 'n'}, nanos ? amount(nanos) : '\u2013');
    cells.push([td, Math.min(1, nanos / most)]);
    return td;
  }), el('td', {class: 'n'}, amount(row.nanos.reduce((a, b) => a + b, 0)))));
  const paint = () => {
    const colour = sequential();
    cells.forEach(([td, share]) => { td.style.background = share ? colour((dark() ? 0.33 : 0.45) * share) : ''; });
  };
  repaint.push(paint);
  paint();
  return section('waits', 'Who made whom wait',
    el('p', {}, 'Ranks spent ' + three(w.total / 1e9) + ' GPU-seconds waiting in collectives, with no compute to cover it. Rows: who came last; columns: who waited. Cells are in GPU-' + (small ? 'milliseconds' : 'seconds') + '; they add up to that sum, but for rounding.'),
    el('div', {class: 'scroll'}, el('table', {class: 'tight'}, el('thead', {}, el('tr', {}, el('th', {}, ranksOnly ? 'late \\ waiting rank' : 'late \\ waiting'), w.columns.map((c) => el('th', {class: 'n'}, ranksOnly ? c.slice(5) : c)), el('th', {class: 'n'}, 'sum'))),
      el('tbody', {}, body, el('tr', {class: 'sum'}, el('th', {}, 'sum'), sums.map((s) => el('td', {class: 'n'}, amount(s))), el('td', {class: 'n'}, amount(w.total)))))),
    note('The last to come may itself have waited elsewhere, in another group. Where several came last together, within 20 us, no single rank is named. Waits are not losses: some waiting is in every job, in pipelines it is bubbles, and a wait here can hide one elsewhere. What it costs is in the table of lost time. Only collectives in which all wait for the last are counted; sends, receives and uneven exchanges are not.',
      w.rows.some((r) => r.accused) ? ' \u25b6: accused by an incident; these rows come first.' : ''));
};
