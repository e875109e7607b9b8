/** The product's sign: an ear-round "e" whose crossbar is a voice, on a tile that goes from amber to coral. */
import { amber, coral, ink } from './palette.ts';
import { picture, type Svg } from './svg.ts';

/** The sign as a 64-unit square that still reads at 16 pixels. */
export function mark(): Svg {
  const stops = `<stop offset="0" stop-color="${amber}"/><stop offset="1" stop-color="${coral}"/>`;
  const tile = `<defs><linearGradient id="t" x1="0" y1="0" x2="1" y2="1">${stops}</linearGradient></defs><rect width="64" height="64" rx="15" fill="url(#t)"/>`;
  const letter = 'M13.5 33c6-7 12-5 18.5 0s12.5 7 18.5 0A18.8 18.8 0 1 0 44.5 46';
  return picture(
    64,
    64,
    `${tile}<path d="${letter}" fill="none" stroke="${ink}" stroke-width="6.6" stroke-linecap="round" stroke-linejoin="round"/>`,
  );
}
