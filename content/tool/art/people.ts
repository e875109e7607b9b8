/** People: one flat build of the human figure that keeps a character's looks from page to page while the pose changes. */

import * as c from './palette.ts';
import { arm, legsOf, poncho, torso } from './people-body.ts';
import { faceAndHair, hairBack } from './people-head.ts';
import { type Look, measures, type Pose } from './people-look.ts';
import { circle, num, type Point, path, place, rect, type Svg } from './svg.ts';

export { head } from './people-head.ts';
export type { Look } from './people-look.ts';

/** A whole person, standing (or sitting, with the hips there) so that the feet are at x, y. For 'sit', 'kneel' and 'none', x, y is the hips. */
export function person(x: number, y: number, size: number, look: Look, pose: Pose = {}): Svg {
  const m = measures[look.build];
  const dir = pose.face ?? 0;
  const legs = pose.legs ?? 'stand';
  const hips = legs === 'sit' || legs === 'kneel' || legs === 'none' ? 0 : -m.leg;
  const shoulderY = -m.torso + 10;
  const ls: Point = [-m.shoulder + 2, shoulderY];
  const rs: Point = [m.shoulder - 2, shoulderY];
  const rest = m.arm * 2 - m.torso + 7;
  const wide = look.build === 'round' ? 22 : 8;
  const left = pose.left ?? [-m.shoulder - wide, rest];
  const right = pose.right ?? [m.shoulder + wide, rest];
  const leftArm = arm(
    ls,
    left,
    m,
    left[1] < shoulderY ? -1 : 1,
    look.sleeves ?? look.top,
    look.skin,
    pose.leftHolds ?? '',
  );
  const rightArm = arm(
    rs,
    right,
    m,
    right[1] < shoulderY ? 1 : -1,
    look.sleeves ?? look.top,
    look.skin,
    pose.rightHolds ?? '',
  );
  const neck = rect(-7, -m.torso - 10, 14, 18, look.skin, 6);
  const scarf =
    look.wear === 'scarf'
      ? rect(-15, -m.torso - 6, 30, 13, look.trim ?? c.coral, 6.5) +
        rect(dir < 0 ? -2 : -10, -m.torso + 2, 11, 34, look.trim ?? c.coral, 5)
      : '';
  const onNeck = (inner: Svg): Svg => place(dir * 3, -m.torso - m.head - 4, inner, 1, pose.tilt ?? 0);
  const behind = dir < 0 ? rightArm : dir > 0 ? leftArm : '';
  const cape = look.wear === 'poncho' ? poncho(look, m) : '';
  const grasp = ([hx, hy]: Point, held?: Svg): Svg =>
    held ? place(hx, hy, held) + circle(hx, hy, m.limb * 0.56, look.skin) : '';
  const overCape = cape ? grasp(left, pose.leftHolds) + grasp(right, pose.rightHolds) : '';
  const before = dir < 0 ? leftArm : dir > 0 ? rightArm : leftArm + rightArm;
  const long = look.cut === 'long' || look.cut === 'bob' ? onNeck(hairBack(look, dir * 7.5)) : '';
  const short = long ? '' : onNeck(hairBack(look, dir * 7.5));
  const collar = pose.back
    ? path(
        `M-23 ${6 - m.torso}Q-27 ${-16 - m.torso} -19 ${-19 - m.torso}Q0 ${-10 - m.torso} 19 ${-19 - m.torso}Q27 ${-16 - m.torso} 23 ${6 - m.torso}Q0 ${12 - m.torso} -23 ${6 - m.torso}Z`,
        look.trim ?? look.top,
      )
    : '';
  const upper =
    long +
    behind +
    torso(look, m, pose) +
    (cape ? before : '') +
    cape +
    overCape +
    neck +
    short +
    onNeck(faceAndHair(look, pose)) +
    scarf +
    collar;
  const body =
    legsOf(look, m, pose) +
    (pose.lean
      ? `<g transform="rotate(${num(pose.lean)})">${upper}${pose.lap ?? ''}${cape ? '' : before}</g>`
      : upper + (pose.lap ?? '') + (cape ? '' : before));
  return place(x, y, hips ? `<g transform="translate(0 ${num(hips)})">${body}</g>` : body, size);
}
