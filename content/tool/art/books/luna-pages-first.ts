/** "La luna en el balde", the first five pages. */
import { blades, land } from '../nature.ts';
import * as c from '../palette.ts';
import { person } from '../people.ts';
import { circle, ellipse, path, place, rect, repeat, type Svg, stroke } from '../svg.ts';
import { inBed } from './luna-bed.ts';
import { abuela, bucket, bucketSide, chuno, lucas, nina } from './luna-cast.ts';
import { adobe, llama, moon, night, page, room, shadow, track, tufts, wet } from './luna-places.ts';

/** Nina holds her grandmother's hand by candlelight. */
export const longing = (): Svg =>
  page(
    room('candle') +
      inBed(abuela, 'calm', 4) +
      stroke('M806 506Q774 486 744 506', abuela.top, 28) +
      circle(738, 508, 14, abuela.skin) +
      rect(596, 612, 92, 16, '#57321c', 6) +
      stroke('M610 626L602 690M674 626L682 690', '#57321c', 12) +
      person(640, 606, 1.72, nina, {
        legs: 'sit',
        face: 1,
        mood: 'calm',
        right: [54, -52],
        left: [26, -34],
      }) +
      shadow(300, 716, 130, '#7d4c2e') +
      place(300, 714, chuno.lie, 1.7),
    1.08,
    560,
    740,
  );

/** She leaves with the bucket and the dog. */
export const setOff = (): Svg =>
  page(
    night(moon(760, 180, 96), 'balde') +
      adobe(70, 566, 1.05) +
      path('M310 566Q360 600 340 650H440Q430 590 372 566Z', '#8d7a9e') +
      track() +
      tufts([
        [60, 620],
        [520, 606],
        [930, 600],
        [470, 760],
        [960, 760],
      ]) +
      shadow(560, 706, 84, '#6f5d84') +
      person(556, 706, 1.74, nina, {
        legs: 'walk',
        face: 1,
        right: [40, -30],
        left: [-26, -4],
        rightHolds: place(4, 70, bucket('empty'), 0.56),
      }) +
      shadow(800, 712, 92, '#6f5d84') +
      place(800, 704, chuno.hop, 1.45),
  );

const lakeWater = (top: number): Svg =>
  rect(0, top, 1024, 768 - top, '#17448f') +
  repeat(8, (i) =>
    rect(
      [60, 300, 620, 820, 120, 700, 420, 900][i] ?? 0,
      top + 26 + i * 26,
      [120, 80, 140, 90, 160, 110, 90, 80][i] ?? 80,
      6,
      '#235cb5',
      3,
    ),
  );

/** The lake holds a second moon. */
export const twoMoons = (): Svg =>
  page(
    night(moon(560, 150, 92), 'lago') +
      lakeWater(440) +
      rect(0, 436, 1024, 8, '#5f7fd0') +
      ellipse(590, 580, 104, 42, '#fff0c4') +
      ellipse(590, 580, 78, 29, '#fffaea') +
      wet(590, 580, 124, '#4f7ed6') +
      place(
        858,
        540,
        path(
          'M-150 -34C-130 14 -70 26 0 26C70 26 130 14 158 -64C110 -20 60 -14 0 -14C-60 -14 -110 -16 -150 -34Z',
          '#d9b25a',
        ) +
          stroke('M-128 -10Q0 30 130 -18M-104 8Q0 40 112 2', '#a9822f', 7) +
          [-84, -30, 30, 84].map((x) => stroke(`M${x} -16V26`, '#a9822f', 6)).join(''),
        1.05,
      ) +
      land(
        [
          [-20, 600],
          [160, 590],
          [330, 640],
          [440, 700],
          [520, 790],
        ],
        800,
        '#4c3c78',
      ) +
      blades('juncos', -10, 640, 220, 120, 280, 15, '#3f8f4c', 13) +
      blades('juncos3', 880, 800, 160, 120, 220, 9, '#3f8f4c', 13) +
      place(128, 690, chuno.sit, 1.6) +
      shadow(330, 712, 96, '#3a2d63') +
      place(452, 656, bucket('moon', false), 1.1, 62) +
      ellipse(560, 660, 66, 15, '#17448f') +
      stroke('M470 690Q540 676 640 640', '#7fa6ea', 5) +
      stroke('M500 712Q580 696 660 664', '#4f7ed6', 5) +
      person(330, 656, 1.74, nina, {
        legs: 'kneel',
        face: 1,
        lean: 18,
        mood: 'smile',
        right: [60, -34],
        left: [56, -22],
        rightHolds: ' ',
        leftHolds: ' ',
      }) +
      blades('juncos2', 190, 790, 120, 70, 130, 10, '#57a85c', 12),
  );

/** The dog drinks the moon to pieces. */
export const thirst = (): Svg =>
  page(
    night(moon(470, 236, 78), 'sed') +
      track() +
      tufts([
        [80, 610],
        [330, 600],
        [900, 600],
        [700, 610],
        [60, 764],
        [940, 764],
      ]) +
      [
        [150, 716, 30],
        [840, 724, 36],
        [420, 740, 22],
      ]
        .map(([x, y, r]) => ellipse(x ?? 0, y ?? 0, r ?? 0, (r ?? 0) * 0.6, '#6f5d84'))
        .join('') +
      shadow(286, 704, 90, '#6f5d84') +
      person(282, 704, 1.82, nina, { face: 1, mood: 'surprise', left: [-40, -84], right: [42, -86] }) +
      shadow(600, 714, 250, '#6f5d84') +
      place(566, 716, bucket('broken', false), 1.08) +
      place(704, 712, chuno.drink, 2.05, 0, -1) +
      place(566, 716, bucketSide, 1.08) +
      [
        [508, 566, 9],
        [462, 540, 12],
        [548, 540, 9],
        [520, 500, 15],
        [600, 548, 8],
        [436, 590, 9],
        [566, 486, 8],
        [478, 476, 11],
        [628, 520, 9],
        [410, 560, 10],
        [600, 474, 8],
        [540, 440, 9],
      ]
        .map(([x, y, r], i) =>
          i % 2
            ? ellipse(x ?? 0, y ?? 0, (r ?? 0) * 1.5, (r ?? 0) * 0.7, '#fff3cf', i * 30)
            : path(
                `M${x} ${(y ?? 0) - (r ?? 0) * 1.6}Q${(x ?? 0) + (r ?? 0) * 1.4} ${y} ${x} ${(y ?? 0) + (r ?? 0)}Q${(x ?? 0) - (r ?? 0) * 1.4} ${y} ${x} ${(y ?? 0) - (r ?? 0) * 1.6}Z`,
                '#8fc4ff',
              ),
        )
        .join(''),
    1.2,
    470,
    745,
  );

/** Don Lucas takes off his hat. */
export const shepherd = (): Svg =>
  page(
    night(moon(300, 150, 84), 'pastor') +
      track() +
      tufts([
        [60, 612],
        [960, 604],
        [440, 764],
      ]) +
      llama(760, 660, 1.5, '#f1ece4', '#cfc5ba', c.coral) +
      llama(870, 680, 1.42, '#8a5a3a', '#6b4227', c.honey) +
      llama(985, 700, 1.46, '#9a9db5', '#7b7e99', c.teal) +
      shadow(600, 722, 90, '#6f5d84') +
      `<g opacity=".3">${path('M392 592L470 396H612L474 592Z', '#fff3cf')}</g>` +
      person(600, 722, 1.86, lucas, {
        face: -1,
        mood: 'surprise',
        lean: -13,
        left: [-8, -32],
        right: [30, -8],
        leftHolds:
          ellipse(0, 4, 34, 11, '#3c2415') +
          path('M-19 2C-19 -20 19 -20 19 2Z', '#4d2f1b') +
          path('M-19 -3Q0 4 19 -3V2Q0 8 -19 2Z', c.coral),
      }) +
      shadow(330, 722, 86, '#6f5d84') +
      person(318, 722, 1.84, nina, { face: 1, mood: 'laugh', right: [54, -30], left: [34, -26] }) +
      place(430, 676, bucket('moon'), 1.0) +
      place(140, 716, chuno.sit, 1.45),
    1.06,
    470,
    750,
  );
