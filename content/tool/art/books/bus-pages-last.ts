/** "The Bus That Stayed", the last five pages. */
import { cloud, ripple, stars, target, voice } from '../motifs.ts';
import * as c from '../palette.ts';
import { person } from '../people.ts';
import {
  circle,
  ellipse,
  line,
  type Point,
  path,
  place,
  rect,
  repeat,
  type Svg,
  smooth,
  stroke,
} from '../svg.ts';
import {
  boy,
  brothers,
  goat,
  hen,
  henFront,
  mina,
  mother,
  oldDriver,
  oldWoman,
  teacher,
  tome,
} from './bus-cast.ts';
import {
  allBlooms,
  appleTree,
  bloom,
  bus,
  fair,
  hills,
  inside,
  page,
  seat,
  steering,
  tallGrass,
} from './bus-places.ts';
import { blackCat, blossoms, catShape, greyCat, orangeCat, shade, standing } from './bus-small.ts';

const pot = (fill: string): Svg =>
  rect(-14, 0, 28, 26, '#c9ced8', 4) +
  rect(-14, 0, 28, 9, fill, 3) +
  stroke('M-13 2Q0 -16 13 2', '#7c8394', 2.5);
const can: Svg =
  path('M-18 4H18L14 34H-14Z', c.teal) +
  stroke('M14 24L38 6', c.teal, 6) +
  circle(40, 5, 6, c.teal) +
  stroke('M-14 6Q0 -18 14 6', c.teal, 4);
const brush: Svg = stroke('M0 6L10 -22', '#8a5a36', 4) + rect(6, -34, 9, 13, '#2f6fe0', 3);

/** Flowers are painted and sunflowers planted. */
export const newClothes = (): Svg =>
  page(
    rect(0, 0, 1024, 768, '#8fd0f2') +
      fair() +
      hills(['#b9dc8c', '#9ccd6f', '#80bd58'], 400) +
      appleTree(70, 560, 0.9, '#4f9f55', '#f3b6c6', false) +
      blossoms([
        [60, 640],
        [150, 700],
        [230, 640],
        [540, 720],
        [960, 700],
        [880, 650],
        [700, 740],
        [990, 610],
        [420, 748],
      ]) +
      shade(420, 664, 420) +
      place(
        400,
        664,
        bus({
          blooms: [...allBlooms.slice(0, 4)],
          garden: true,
          windows: [undefined, place(0, 8, orangeCat, 0.7), undefined, undefined],
          wheel: place(0, 6, henFront, 0.78),
        }),
        1.24,
      ) +
      line([214, 714], [296, 396], '#8a5a36', 11) +
      line([296, 714], [338, 396], '#8a5a36', 11) +
      repeat(6, (i) => line([222 + i * 12.8, 682 - i * 50], [292 + i * 7, 682 - i * 50], '#8a5a36', 8)) +
      person(266, 604, 1.42, mina, { face: 1, mood: 'smile', right: [46, -64], rightHolds: brush }) +
      bloom(356, 470, 28) +
      shade(90, 724, 56) +
      person(90, 724, 1.4, brothers[0] ?? mina, {
        face: 1,
        mood: 'laugh',
        legs: 'walk',
        right: [34, -26],
        rightHolds: place(4, 10, pot('#2f6fe0')),
      }) +
      shade(470, 736, 56) +
      person(470, 736, 1.4, brothers[1] ?? mina, {
        face: -1,
        mood: 'smile',
        left: [-34, -30],
        right: [30, 0],
        leftHolds: place(-2, 10, pot(c.coral)),
      }) +
      shade(640, 740, 56) +
      person(640, 740, 1.4, brothers[2] ?? mina, {
        face: -1,
        mood: 'surprise',
        left: [-24, -84],
        right: [34, -10],
        rightHolds: place(4, 10, pot('#2f6fe0')),
      }) +
      shade(950, 738, 56) +
      person(950, 738, 1.4, brothers[3] ?? mina, {
        face: -1,
        mood: 'laugh',
        left: [-40, -28],
        right: [-16, -22],
        leftHolds: place(-6, -4, can, 1, 0, -1),
      }),
  );

const bookSeats: readonly Svg[] = [
  ['#d8342f', '#3f8f4c', '#e8843c', '#d8342f', '#3f8f4c', '#e8843c'],
  ['#3f8f4c', '#e8843c', '#d8342f', '#e8843c', '#3f8f4c', '#d8342f'],
  ['#e8843c', '#d8342f', '#3f8f4c', '#3f8f4c', '#d8342f', '#e8843c'],
  ['#d8342f', '#e8843c', '#3f8f4c', '#d8342f', '#e8843c', '#3f8f4c'],
].map(standing);

/** The valley brings its books. */
export const everySeat = (): Svg =>
  page(
    rect(0, 0, 1024, 768, '#9bd6ef') +
      target(900, 110, 84, ['#ffe6a3', '#ffd873', '#ffcb4d']) +
      cloud(90, 150, 190, '#ffffff') +
      hills(['#c6df82', '#a8cf66', '#8ac04f'], 390) +
      path('M600 560Q640 600 560 640Q430 700 250 790H560Q700 690 690 560Z', '#f0dcaa') +
      shade(470, 580, 400) +
      place(
        470,
        580,
        bus({
          blooms: allBlooms,
          garden: true,
          doorOpen: true,
          windows: bookSeats,
          wheel: place(0, 6, henFront, 0.78),
        }),
        1.22,
      ) +
      shade(150, 736, 60) +
      person(150, 736, 1.4, oldWoman, {
        face: 1,
        legs: 'walk',
        right: [40, -36],
        left: [30, -30],
        rightHolds: place(-4, -8, tome(34, 42, '#d8342f')),
      }) +
      shade(290, 728, 60) +
      person(290, 728, 1.4, teacher, {
        face: 1,
        legs: 'walk',
        right: [42, -40],
        left: [34, -20],
        rightHolds:
          place(-4, 4, tome(46, 14, c.honey)) +
          place(-4, -10, tome(42, 14, c.violet)) +
          place(-4, -24, tome(44, 14, '#3f8f4c')),
      }) +
      shade(420, 716, 50) +
      stroke('M386 712L400 584M466 712L452 584', '#8a5a36', 8) +
      stroke('M384 586H414M440 586H468', '#8a5a36', 9) +
      person(426, 714, 1.4, boy, { face: 1, mood: 'laugh', left: [-18, -14], right: [20, -14] }) +
      place(428, 640, tome(30, 36, '#e8843c')) +
      shade(550, 712, 60) +
      person(550, 712, 1.4, mother, {
        face: 1,
        right: [24, -34],
        left: [-18, -24],
        lap:
          ellipse(0, -38, 19, 25, c.cream) +
          circle(6, -58, 12, '#c98a5c') +
          stroke('M3 -58q3 3 6 0', c.ink, 1.8) +
          path('M-7 -60Q-4 -73 7 -71Q17 -70 18 -60Q8 -66 -7 -60Z', c.mint),
      }) +
      place(590, 644, tome(30, 38, '#3f8f4c')) +
      shade(880, 734, 100) +
      place(850, 730, goat, 1.36) +
      place(
        968,
        648,
        path('M-40 44H44V-4Q0 -20 -40 -4Z', '#8d93a3') +
          path('M-34 36H38V0Q0 -14 -34 0Z', c.paper) +
          stroke('M-24 10H24M-24 22H26', '#c9ced8', 4),
        0.98,
        -12,
      ) +
      place(938, 600, path('M0 0L34 -6L30 16L4 20Z', c.paper), 1.2) +
      blossoms(
        [
          [60, 660],
          [720, 690],
          [760, 744],
          [640, 748],
          [40, 748],
        ],
        '#fff8ea',
      ),
  );

/** The driver comes back. */
export const oldFriend = (): Svg =>
  page(
    rect(0, 0, 1024, 768, '#f6a58d') +
      rect(0, 0, 1024, 190, '#ee8a86') +
      rect(0, 190, 1024, 90, '#f29888') +
      target(96, 330, 150, ['#fbb67f', '#fdc98a', '#ffe3ac']) +
      cloud(220, 130, 210, '#f9bdab') +
      cloud(560, 100, 170, '#f9bdab') +
      hills(['#c79a52', '#d3a94f', '#e0bd5c'], 420) +
      appleTree(930, 590, 1.1, '#a4472a', '#bd5a32') +
      [
        [820, 640],
        [870, 664],
        [940, 650],
        [990, 676],
        [900, 700],
        [848, 712],
      ]
        .map(
          ([x, y]) =>
            circle(x ?? 0, y ?? 0, 12, '#d8342f') + stroke(`M${x} ${(y ?? 0) - 10}v-6`, '#4d3024', 3),
        )
        .join('') +
      shade(450, 640, 420) +
      place(
        450,
        640,
        bus({
          blooms: allBlooms,
          garden: true,
          doorOpen: true,
          windows: [
            standing(['#d8342f', '#3f8f4c', '#e8843c', '#d8342f', '#3f8f4c', '#e8843c']),
            place(-20, 6, blackCat, 0.62) + place(24, 6, orangeCat, 0.66),
            standing(['#3f8f4c', '#e8843c', '#d8342f', '#e8843c', '#3f8f4c', '#d8342f']),
            place(0, 6, greyCat, 0.7),
          ],
          wheel: place(0, 6, henFront, 0.78),
          inDoor: person(-2, 0, 1, mina, { face: -1, mood: 'laugh', left: [-26, -80], right: [24, 0] }),
        }),
        1.24,
      ) +
      tallGrass('autumn', 800, 50, 90, ['#c9a03f', '#b1862f'], 80) +
      shade(300, 744, 90) +
      person(300, 744, 1.84, oldDriver, {
        back: true,
        tilt: 8,
        right: [66, -14],
        left: [-56, 4],
        rightHolds: stroke('M0 -4V76', '#6e4426', 8) + stroke('M-10 -4Q0 -16 10 -4', '#6e4426', 8),
      }),
  );

const { hat: _hat, ...bareheaded } = oldDriver;

/** The hen keeps her seat. */
export const whereTo = (): Svg =>
  page(
    inside(
      '#8a6bc4',
      true,
      repeat(
        5,
        (i) =>
          rect(84 + i * 186, 62, 4, 46, '#5a4a66') +
          circle(86 + i * 186, 124, 44, '#d9a85a') +
          circle(86 + i * 186, 124, 20, '#ffe7a3'),
      ) +
        place(110, 520, seat(true), 1.04) +
        place(300, 596, seat(true), 1.3) +
        person(306, 588, 1.82, bareheaded, {
          legs: 'sit',
          face: 1,
          mood: 'smile',
          right: [44, -14],
          left: [16, -12],
          lap: place(
            30,
            -16,
            path('M-30 4C-30 -20 -14 -24 0 -24C14 -24 28 -20 28 4Z', '#22346e') +
              path('M2 4Q28 -2 46 8Q28 12 2 9Z', '#16234f'),
          ),
        }) +
        person(
          556,
          712,
          1.86,
          { ...mina, shoes: '#f2b21d' },
          {
            face: -1,
            mood: 'laugh',
            left: [-26, -28],
            right: [24, -26],
            lap: place(0, -28, tome(58, 46, '#2f6fe0')) + bloomOn(),
          },
        ) +
        place(790, 596, seat(true), 1.24) +
        place(794, 588, hen(true), 1.5, 0, -1),
      stars('dusk', 40, 130, 980, 180, 16, '#e6dcff'),
    ) + place(916, 500, steering),
  );

function bloomOn(): Svg {
  return voice(-12, -28, [10, 22, 14], 12, 4.5, c.paper);
}

/** A figure of stars: a faint soft shape, its outline, and a star at each of its points. */
const starry = (points: readonly Point[]): Svg =>
  path(smooth(points, true), '#2b4fae88') +
  stroke(smooth(points, true), '#9fc3ff', 4) +
  points.map(([x, y], i) => circle(x, y, i % 3 ? 4.5 : 7.5, '#f3f7ff')).join('');

/** The bus leaves the valley, reading. */
export const nightBus = (): Svg =>
  page(
    rect(0, 0, 1024, 768, '#111a4d') +
      rect(0, 300, 1024, 300, '#15215a') +
      stars('whale', 10, 10, 1000, 480, 110, '#dfe6ff') +
      repeat(6, (i) =>
        ripple(-40 - (i % 2) * 40, 96 + i * 62, 130, 26, 18, i % 2 ? '#23408f' : '#2e55b8', 6),
      ) +
      stroke('M226 116Q204 66 172 74M226 116Q236 62 270 64', '#9fc3ff', 6) +
      starry([
        [130, 200],
        [170, 146],
        [260, 118],
        [370, 118],
        [470, 152],
        [548, 172],
        [592, 120],
        [566, 76],
        [630, 100],
        [690, 84],
        [664, 136],
        [634, 190],
        [560, 232],
        [450, 268],
        [330, 282],
        [220, 272],
        [150, 246],
      ]) +
      stroke('M134 212Q200 236 262 222', '#9fc3ff', 4) +
      starry([
        [330, 282],
        [350, 332],
        [400, 276],
      ]) +
      circle(210, 184, 9, '#f3f7ff') +
      starry([
        [764, 250],
        [800, 308],
        [916, 308],
        [956, 244],
      ]) +
      starry([
        [864, 240],
        [864, 92],
        [944, 222],
      ]) +
      starry([
        [844, 236],
        [844, 124],
        [780, 228],
      ]) +
      stroke('M864 92L896 78L864 66', '#9fc3ff', 4) +
      hills(['#16235c', '#121c4c', '#0f1740'], 470) +
      [110, 210, 310, 410, 510, 610]
        .map((x, i) =>
          stroke(`M${x + 20} 352C${x - 10} 320 ${x + 60} 300 ${x + 20} ${262 - (i % 2) * 30}`, '#6f9cf0', 5),
        )
        .join('') +
      ellipse(430, 690, 470, 60, '#2b3260') +
      ellipse(430, 690, 380, 40, '#4a4a62') +
      place(
        430,
        690,
        bus({
          glass: '#ffd56b',
          blooms: allBlooms,
          garden: true,
          doorOpen: false,
          windows: silhouettes,
          wheel: place(
            0,
            6,
            path('M-30 4C-34 -26 -18 -50 -14 -66C-10 -80 12 -80 14 -66C22 -50 34 -26 30 4Z', '#5a3a1a') +
              circle(-4, -80, 6, '#5a3a1a') +
              circle(6, -82, 6, '#5a3a1a'),
          ),
        }),
        1.2,
      ) +
      tallGrass('night', 810, 60, 110, ['#122b3a', '#0c2030'], 84),
  );

const dark = '#5a3a1a';
const silhouettes: readonly Svg[] = [
  place(
    -8,
    8,
    path('M-30 6C-34 -40 -24 -72 0 -84L26 -76L30 -40L34 6Z', dark) +
      stroke('M2 -84Q-6 -108 -22 -114M16 -84Q14 -106 2 -116', dark, 8) +
      path('M-4 -86C14 -96 36 -84 44 -66L58 -50C62 -40 52 -32 42 -36L16 -44C-2 -48 -14 -66 -4 -86Z', dark),
    0.84,
  ),
  place(
    0,
    6,
    circle(0, -50, 26, dark) +
      path('M-27 -58C-28 -82 28 -82 27 -58Z', dark) +
      path('M4 -62Q26 -66 42 -56Q26 -54 4 -55Z', dark) +
      path('M-44 20C-44 -12 -26 -24 0 -24C26 -24 44 -12 44 20Z', dark),
  ),
  place(
    -4,
    6,
    circle(0, -44, 23, dark) +
      stroke('M-22 -40V-4M22 -40V-4', dark, 11) +
      path('M-34 20C-34 -10 -20 -20 0 -20C20 -20 34 -10 34 20Z', dark) +
      path('M0 4Q20 -10 42 -2V-34Q20 -40 0 -28Q-20 -40 -42 -34V-2Q-20 -10 0 4Z', '#8a5a1f'),
  ),
  place(-20, 6, path(catShape, dark), 0.62) + place(22, 6, path(catShape, dark), 0.66),
];
