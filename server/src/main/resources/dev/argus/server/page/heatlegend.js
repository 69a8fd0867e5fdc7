// What the colours and marks of a map mean.
import {el, factor, time} from './look.js';
import {nanosOf, ratioOf} from './heatdata.js';

const strip = (width, colourAt) => {
  const bar = el('canvas', {width, height: 14, 'aria-hidden': 'true'}), image = new ImageData(width, 14), out = new Uint32Array(image.data.buffer);
  for (let i = 0; i < out.length; i++) out[i] = colourAt(i % width, Math.floor(i / width));
  bar.getContext('2d').putImageData(image, 0, 0);
  return bar;
};

/** The parts of a legend: {basis, look, outside: what no phase covers is shown, events: any, steps: of an incident are marked, accused: any, of: by what, found: any was looked for, link: the incident is of one}. */
export const legendParts = ({basis, look, outside, events, steps, accused, of, found, link}) => {
  const {low, high} = look, parts = [], bar = strip(240, (x) => look.colours[Math.round(x / 239 * 1023)]);
  const against = basis === 'past' ? ' its own faster steps' : ' the peers\u2019 median';
  parts.push(basis === 'time' ? el('span', {}, time(nanosOf(low + 32768)) + ' ', bar, ' ' + time(nanosOf(high + 32768)) + ' (logarithmic)')
    : el('span', {}, '\u2264 ' + factor(ratioOf(low)) + ' ', bar, ' \u2265 ' + factor(ratioOf(high)) + against + '; the middle is 1.00x'));
  if (look.missing) parts.push(el('span', {}, strip(22, (x, y) => (x + y & 7) === 0 ? look.hatch : look.paper), outside ? ' no phase recorded' : ' not reported'));
  if (events) parts.push(el('span', {class: 'event-mark'}, '\u25ac checkpoint, evaluation or warm-up'));
  if (steps) parts.push(el('span', {class: 'suspect-mark'}, '\u25ac steps of the incident'));
  if (accused) parts.push(el('span', {class: 'suspect-mark'}, '\u2590 ranks accused by ' + of + ', between lines'));
  if (found) parts.push(el('span', {class: 'found-mark'}, '\u25b6 what you look for'));
  if (link && (!accused || link === 'open')) parts.push(el('span', {}, 'The costliest open incident is of a link: it shows in communication, not in own time.'));
  if (link && accused) parts.push(el('span', {}, 'A slow link shows on all ranks that share its collectives: who is at its ends is marked.'));
  return parts;
};
