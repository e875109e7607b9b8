/** How a person is described: what stays the same about them, what changes, and how each build is measured. */
import type { Point, Svg } from './svg.ts';

/** What stays the same about a person. */
export interface Look {
  build: 'child' | 'adult' | 'old' | 'round';
  skin: string;
  cheeks: string;
  hair: string;
  cut: 'short' | 'bob' | 'long' | 'bun' | 'curls' | 'pigtails' | 'bald' | 'braid' | 'braids' | 'bare';
  top: string;
  /** The sleeves' colour when it is not the top's. */
  sleeves?: string;
  /** A second colour on the top: stripes, an apron, a scarf, buttons. */
  trim?: string;
  wear?: 'stripes' | 'apron' | 'scarf' | 'coat' | 'plain' | 'dungarees' | 'poncho';
  bottom: string;
  skirt?: boolean;
  shoes: string;
  glasses?: boolean;
  beard?: string;
  moustache?: string;
  hat?: 'cap' | 'straw' | 'beanie' | 'beret';
  hatColour?: string;
}

/** What changes about a person. Hands are points relative to the hips, x towards the viewer's right, y down. */
export interface Pose {
  legs?: 'stand' | 'walk' | 'run' | 'sit' | 'kneel' | 'none';
  /** Which way they face: -1 left, 0 at us, 1 right. */
  face?: -1 | 0 | 1;
  left?: Point;
  right?: Point;
  mood?: 'smile' | 'laugh' | 'calm' | 'surprise' | 'sad' | 'sleep' | 'sing';
  lean?: number;
  /** Seen from behind. */
  back?: boolean;
  /** How far the head tips, in degrees. */
  tilt?: number;
  /** Something in the left or right hand, drawn with the hand at 0, 0. */
  leftHolds?: Svg;
  rightHolds?: Svg;
  /** Things drawn over the body but under the front arm. */
  lap?: Svg;
}

/** Lengths of a build in the figure's own units. */
export interface Measures {
  leg: number;
  torso: number;
  head: number;
  shoulder: number;
  hip: number;
  arm: number;
  limb: number;
}

export const measures: Readonly<Record<Look['build'], Measures>> = {
  child: { leg: 48, torso: 50, head: 27, shoulder: 17, hip: 17, arm: 25, limb: 12 },
  adult: { leg: 84, torso: 68, head: 27, shoulder: 23, hip: 21, arm: 33, limb: 14.5 },
  round: { leg: 64, torso: 70, head: 28, shoulder: 28, hip: 37, arm: 33, limb: 16 },
  old: { leg: 72, torso: 64, head: 27, shoulder: 22, hip: 23, arm: 31, limb: 14.5 },
};
