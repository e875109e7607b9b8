import { echo } from '../motifs.ts';
import * as c from '../palette.ts';
import {
  chance,
  circle,
  ellipse,
  line,
  path,
  picture,
  place,
  rect,
  repeat,
  type Svg,
  stroke,
} from '../svg.ts';

const letter = (fill: string, seal: string, flap: string): Svg =>
  rect(-34, -23, 68, 46, fill, 5) +
  path('M-34 -18L0 8L34 -18V-20Q34 -23 29 -23H-29Q-34 -23 -34 -20Z', flap) +
  path('M0 14C-8 6 -12 2 -8 -3Q-3 -7 0 -1Q3 -7 8 -3C12 2 8 6 0 14Z', seal);

/** A golden elm in whose crown the leaves are letters; a ladder leads to the hollow. */
export function cover(): Svg {
  const next = chance('dear tree');
  const ground =
    rect(0, 0, 640, 640, c.plum) +
    echo(320, 246, 262, 44, 5, '#573085', 14) +
    ellipse(320, 640, 520, 90, c.aubergine);
  const crown =
    [
      [320, 220, 190],
      [176, 270, 110],
      [464, 270, 110],
      [232, 150, 110],
      [408, 150, 110],
      [320, 110, 92],
      [250, 330, 90],
      [390, 330, 90],
    ]
      .map(([x, y, r]) => circle(x ?? 0, y ?? 0, r ?? 0, c.ochre))
      .join('') +
    [
      [290, 190, 140],
      [220, 170, 80],
      [370, 150, 90],
      [190, 262, 66],
    ]
      .map(([x, y, r]) => circle(x ?? 0, y ?? 0, r ?? 0, c.amber))
      .join('');
  const leaves = repeat(26, (i) => {
    const a = i * 2.4;
    const r = 30 + Math.sqrt(i) * 40;
    return ellipse(
      320 + Math.cos(a) * r,
      226 + Math.sin(a) * r * 0.78,
      17,
      8,
      i % 3 ? c.honey : '#a66c12',
      next() * 180,
    );
  });
  const trunk =
    path('M278 330Q300 480 236 618H404Q340 480 362 330Z', c.umber) +
    stroke('M320 420L236 322M320 400L402 316M318 360V250', c.umber, 24) +
    stroke('M274 560Q292 520 292 480M360 580Q350 520 344 500', '#5a3d14', 7);
  const hollow =
    ellipse(320, 452, 34, 44, '#170e04') + place(322, 452, letter(c.paper, c.coral, c.stone), 0.86, -14);
  const ladder =
    line([426, 626], [350, 440], c.clay, 11) +
    line([474, 616], [398, 430], c.clay, 11) +
    repeat(6, (i) => line([419 - i * 13.4, 600 - i * 31], [467 - i * 13.4, 590 - i * 31], c.clay, 9));
  const post =
    place(168, 226, letter(c.paper, c.coral, c.stone), 1.2, -16) +
    place(474, 214, letter(c.blush, c.brick, c.peach), 1.2, 14) +
    place(330, 130, letter(c.paper, c.teal, c.mint), 1.2, 6) +
    place(264, 300, letter(c.peach, c.brick, c.coral), 1.05, -8) +
    place(398, 306, letter(c.paper, c.coral, c.stone), 1.05, 12);
  const flying =
    place(84, 470, letter(c.paper, c.coral, c.stone), 1.1, -24) +
    stroke('M26 500Q40 492 48 486M34 524Q48 514 56 506', c.lilac, 6) +
    place(566, 420, letter(c.peach, c.brick, c.coral), 0.94, 20);
  return picture(640, 640, ground + crown + leaves + trunk + hollow + ladder + post + flying);
}
