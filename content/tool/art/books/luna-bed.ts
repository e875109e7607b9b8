/** The two in the grandmother's room: as they lie in bed, and in the colours of the dark. */
import { head } from '../people.ts';
import { place, type Svg } from '../svg.ts';
import { abuela, nina } from './luna-cast.ts';

export const nightAbuela = { ...abuela, skin: '#93708f', cheeks: '#a5688a', hair: '#c9cdf0', top: '#5a4a9c' };
export const nightNina = {
  ...nina,
  skin: '#9a728a',
  cheeks: '#a5688a',
  hair: '#12122b',
  top: '#a93a5c',
  sleeves: '#9fa3cf',
  trim: '#b9a05f',
  bottom: '#20224f',
};

export const inBed = (look: typeof abuela, mood: 'calm' | 'sleep' | 'laugh', tilt: number): Svg =>
  place(796, 408, head(look, { face: -1, mood }), 1.66, tilt);
