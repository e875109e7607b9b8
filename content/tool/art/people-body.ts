/** Bodies: arms, legs, trunks and what is worn on them. */
import * as c from './palette.ts';
import type { Look, Measures, Pose } from './people-look.ts';
import { circle, ellipse, num, type Point, path, place, type Svg, stroke } from './svg.ts';

/** Where the elbow goes when an arm of two equal parts reaches from shoulder to hand. */
function elbow([sx, sy]: Point, [hx, hy]: Point, part: number, side: number): Point {
  const [dx, dy] = [hx - sx, hy - sy];
  const span = Math.max(1, Math.hypot(dx, dy));
  const bulge = Math.sqrt(Math.max(0, part * part - (span * span) / 4));
  return [(sx + hx) / 2 - (dy / span) * bulge * side, (sy + hy) / 2 + (dx / span) * bulge * side];
}

/** An arm from the shoulder to the hand, with what the hand holds. */
export function arm(
  from: Point,
  hand: Point,
  m: Measures,
  side: number,
  sleeve: string,
  skin: string,
  holds: Svg,
): Svg {
  const [ex, ey] = elbow(from, hand, m.arm, side);
  const d = `M${num(from[0])} ${num(from[1])}Q${num(ex + (ex - (from[0] + hand[0]) / 2) * 0.5)} ${num(ey + (ey - (from[1] + hand[1]) / 2) * 0.5)} ${num(hand[0])} ${num(hand[1])}`;
  return (
    stroke(d, sleeve, m.limb) + place(hand[0], hand[1], holds) + circle(hand[0], hand[1], m.limb * 0.56, skin)
  );
}

/** A shoe that points to `dir`. */
function foot(x: number, y: number, dir: number, shoes: string): Svg {
  return path(
    `M${num(x - dir * 8)} ${num(y)}v-8q0-5 ${dir * 8}-5q${dir * 7} 0 ${dir * 7.5} 5q${dir * 6} 1 ${dir * 6.5} 8Z`,
    shoes,
  );
}

/** Both legs, the hips at 0, 0. */
export function legsOf(look: Look, m: Measures, pose: Pose): Svg {
  const kind = pose.legs ?? 'stand';
  const dir = pose.face || 1;
  const w = m.limb + 1.5;
  const limb = (d: string): Svg => stroke(d, look.skirt ? look.skin : look.bottom, look.skirt ? w - 4 : w);
  if (kind === 'none') return '';
  if (kind === 'sit') {
    const knee = m.leg * 0.52 * dir;
    const drop = m.leg * 0.55;
    const one = (o: number, lift: number): Svg =>
      limb(`M${num(o)} -4H${num(knee + o * 0.4)}V${num(drop - 8 - lift)}`) +
      foot(knee + o * 0.4, drop - lift, dir, look.shoes);
    return (
      one(-5 * dir, 3) +
      one(6 * dir, 0) +
      (look.skirt ? stroke(`M0 -6H${num(knee)}`, look.bottom, w + 8) : '')
    );
  }
  if (kind === 'kneel') {
    const back = -dir * m.leg * 0.5;
    return (
      stroke(
        `M0 0L${num(dir * 14)} ${num(m.leg * 0.42)}L${num(back)} ${num(m.leg * 0.5)}`,
        look.bottom,
        w + 2,
      ) + ellipse(back, m.leg * 0.48, 9, 6, look.shoes)
    );
  }
  const spread = kind === 'run' ? 26 : kind === 'walk' ? 15 : m.hip * 0.52;
  const lift = kind === 'run' ? 18 : kind === 'walk' ? 3 : 0;
  const a: Point = [-spread * dir, m.leg - lift];
  const b: Point = [spread * dir, m.leg];
  const bend = kind === 'run' ? 10 * dir : 0;
  const root = m.hip * 0.45 * dir;
  const one = ([x, y]: Point, o: number, k: number): Svg =>
    limb(`M${num(o)} -2Q${num((x + o) / 2 + k)} ${num(y * 0.5)} ${num(x)} ${num(y - 8)}`) +
    foot(x, y, kind === 'stand' && !pose.face ? Math.sign(x) || 1 : dir, look.shoes);
  return one(a, -root, bend) + one(b, root, bend);
}

/** The trunk with its clothes, the hips at 0, 0. */
export function torso(look: Look, m: Measures, pose: Pose): Svg {
  const [s, h, t] = [m.shoulder, m.hip, m.torso];
  const long = look.wear === 'coat' ? 26 : 0;
  const flare = look.skirt || look.wear === 'coat' ? 7 : 0;
  const round = look.build === 'round' ? 12 : 0;
  const body = round
    ? `M${-s + 6} ${-t}Q${-s - 5} ${-t + 2} ${-s - 6} ${-t + 20}Q${-h - round} ${-18} ${-h + 6} ${6 + long * 0.6}Q0 ${12 + long * 0.6} ${h - 6} ${6 + long * 0.6}Q${h + round} ${-18} ${s + 6} ${-t + 20}Q${s + 5} ${-t + 2} ${s - 6} ${-t}Z`
    : `M${-s + 6} ${-t}Q${-s - 3} ${-t + 2} ${-s - 2} ${-t + 18}L${-h - flare * 0.4} ${4 + long}Q0 ${10 + long} ${h + flare * 0.4} ${4 + long}L${s + 2} ${-t + 18}Q${s + 3} ${-t + 2} ${s - 6} ${-t}Z`;
  let out = '';
  if (look.skirt && pose.legs !== 'sit' && pose.legs !== 'kneel') {
    const low = m.leg * 0.46;
    out += path(
      `M${-h + 2} -8L${-h - 12} ${num(low)}Q0 ${num(low + 8)} ${h + 12} ${num(low)}L${h - 2} -8Z`,
      look.bottom,
    );
  }
  out += path(body, look.top);
  const trim = look.trim ?? c.cream;
  if (look.wear === 'stripes')
    for (let y = -t + 16; y < 4; y += 13)
      out += stroke(`M${-s + 0.5} ${y}Q0 ${y + 4} ${s - 0.5} ${y}`, trim, 4.5, 'butt');
  const hem = pose.legs === 'sit' || pose.legs === 'kneel' ? 2 : m.leg * 0.4;
  if (look.wear === 'apron')
    out +=
      path(
        `M${-s * 0.6} ${-t + 14}Q0 ${-t + 18} ${s * 0.6} ${-t + 14}L${h * 0.75} -14L${h + 4} ${num(hem)}Q0 ${num(hem + 8)} ${-h - 4} ${num(hem)}L${-h * 0.75} -14Z`,
        trim,
      ) +
      stroke(`M${-s * 0.6} ${-t + 15}L${-s * 0.45} ${-t}M${s * 0.6} ${-t + 15}L${s * 0.45} ${-t}`, trim, 3.5);
  if (look.wear === 'dungarees')
    out +=
      path(`M${-s * 0.62} ${-t * 0.62}H${s * 0.62}L${h + 1} -6V6Q0 11 ${-h - 1} 6V-6Z`, look.bottom) +
      stroke(
        `M${-s * 0.5} ${-t * 0.6}L${-s * 0.55} ${-t + 3}M${s * 0.5} ${-t * 0.6}L${s * 0.55} ${-t + 3}`,
        look.bottom,
        5,
      ) +
      circle(-s * 0.48, -t * 0.56, 2.4, trim) +
      circle(s * 0.48, -t * 0.56, 2.4, trim);
  if (pose.back)
    return (
      out +
      stroke(`M${-h * 0.7} -10H${h * 0.7}`, trim, 5) +
      stroke(`M0 ${long ? 6 : -4}V${long * 0.6 + 8}`, trim, 3)
    );
  if (look.wear === 'coat')
    out +=
      stroke(`M0 ${-t + 6}V${(round ? long * 0.6 : long) + 8}`, trim, 2.5) +
      [-t * 0.7, -t * 0.42, -t * 0.14].map((y) => circle(6, y, 2.6, trim)).join('');
  return out;
}

/** A poncho: it hangs over the shoulders and the upper arms, with a striped border. */
export function poncho(look: Look, m: Measures): Svg {
  const [s, t] = [m.shoulder, m.torso];
  const shape = `M${-s + 8} ${-t}Q${-s - 8} ${-t + 4} ${-s - 16} ${-6}Q0 ${12} ${s + 16} ${-6}Q${s + 8} ${-t + 4} ${s - 8} ${-t}Z`;
  const trim = look.trim ?? c.honey;
  return (
    path(shape, look.top) +
    stroke(`M${-s - 13.5} -15Q0 2 ${s + 13.5} -15`, trim, 4, 'butt') +
    stroke(`M${-s - 11} -24Q0 -8 ${s + 11} -24`, c.amber, 3, 'butt') +
    stroke(`M0 ${-t + 6}V${-t + 24}`, trim, 3)
  );
}
