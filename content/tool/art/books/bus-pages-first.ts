/** "The Bus That Stayed", the first five pages. */
import { cloud, rain, target } from '../motifs.ts';
import * as c from '../palette.ts';
import { person } from '../people.ts';
import { circle, clip, ellipse, path, place, rect, repeat, type Svg, stroke } from '../svg.ts';
import { catAsleep, driver, goatHead, hen, henFront, mina, swallow } from './bus-cast.ts';
import {
  appleTree,
  bus,
  fair,
  hills,
  inside,
  page,
  seat,
  steering,
  tallGrass,
  yellow,
} from './bus-places.ts';
import { blackCat, blossoms, greyCat, orangeCat, shade } from './bus-small.ts';

/** The engine coughs for the last time. */
export const lastEvening = (): Svg =>
  page(
    rect(0, 0, 1024, 768, '#f79a52') +
      target(250, 330, 190, ['#fbb25c', '#fdc873', '#ffe1a0']) +
      cloud(560, 130, 220, '#fbb77f') +
      cloud(820, 220, 150, '#fbb77f') +
      hills(['#8fae5c', '#6f9a4c', '#55833f'], 440) +
      path('M-20 600C260 570 700 580 1050 610V720C760 690 300 690 -20 720Z', '#f2dcae') +
      shade(380, 676, 390) +
      place(350, 672, bus(), 1.02) +
      [
        [748, 478, 20],
        [790, 410, 28],
        [836, 326, 36],
      ]
        .map(
          ([x, y, r]) =>
            circle(x ?? 0, y ?? 0, r ?? 0, '#b9b3b8') +
            circle((x ?? 0) - (r ?? 0) * 0.7, (y ?? 0) + 8, (r ?? 0) * 0.7, '#b9b3b8') +
            circle((x ?? 0) + (r ?? 0) * 0.75, (y ?? 0) + 6, (r ?? 0) * 0.66, '#b9b3b8'),
        )
        .join('') +
      shade(884, 726, 84) +
      person(884, 726, 1.6, driver, { face: -1, mood: 'calm', left: [-70, -34], tilt: -8 }),
  );

/** The bus waits in the grass. */
export const theField = (): Svg =>
  page(
    rect(0, 0, 1024, 768, '#aedcf2') +
      fair() +
      hills(['#b6d98a', '#98c86c', '#7ab552'], 330) +
      stroke(
        'M-20 352C120 330 250 372 160 392C60 414 300 420 440 392C560 368 470 330 560 318C630 308 660 290 640 268',
        '#fbf6e6',
        13,
      ) +
      place(
        318,
        404,
        rect(-28, -20, 56, 15, '#d8342f', 6) +
          path('M-15 -20Q-10 -36 2 -36Q15 -36 19 -20Z', '#d8342f') +
          path('M-8 -22Q-6 -31 1 -31V-22Z', '#cfe6f2') +
          circle(-15, -4, 7, c.ink) +
          circle(15, -4, 7, c.ink),
      ) +
      appleTree(876, 650, 1.2) +
      place(390, 704, bus(), 0.94) +
      tallGrass('field', 796, 96, 156, ['#4f9a45', '#3d8239'], 84) +
      blossoms(
        [
          [80, 666],
          [250, 700],
          [520, 690],
          [700, 700],
          [950, 690],
        ],
        '#fff8ea',
      ),
  );

/** A hen gets on, out of the rain. */
export const firstPassenger = (): Svg =>
  page(
    inside(
      '#a9b6c4',
      false,
      place(120, 520, seat(), 1.04) +
        place(330, 520, seat(), 1.04) +
        place(200, 596, seat(), 1.24) +
        place(470, 596, seat(), 1.24) +
        place(
          480,
          580,
          ellipse(0, -26, 27, 34, c.paper) + path('M-20 -16A27 34 0 0 0 22 -10Q0 10 -20 -16Z', '#e9dfcc'),
        ) +
        place(762, 596, seat(), 1.24) +
        place(762, 588, hen(), 1.5),
      rain('bus', -20, 70, 1080, 400, 150, '#eef5fa', 6, 0.5),
    ) + place(906, 500, steering),
  );

/** A goat, three cats and two swallows. */
export const morePassengers = (): Svg =>
  page(
    rect(0, 0, 1024, 768, '#bfe3f5') +
      target(130, 120, 90, ['#ffe6a3', '#ffd873', '#ffcb4d']) +
      cloud(500, 120, 190, '#ffffff') +
      hills(['#b6d98a', '#98c86c', '#7ab552'], 420) +
      place(
        452,
        700,
        bus({
          windows: [
            place(-8, 8, goatHead, 0.94),
            place(-30, 6, blackCat, 0.62) + place(31, 6, greyCat, 0.62) + place(0, 10, orangeCat, 0.7),
            undefined,
            undefined,
          ],
          wheel: place(0, 6, henFront, 0.78) + stroke('M-30 6A30 26 0 0 1 30 6', c.ink, 8),
        }),
        1.36,
      ) +
      place(
        664,
        316,
        path('M-44 0C-44 44 44 44 44 0Z', '#8a5a3a') +
          repeat(7, (i) => circle(-34 + i * 11.4, 10 + (i % 2) * 9, 5, '#6e4426')) +
          [-16, 12]
            .map((x) => circle(x, -4, 10, '#1c2a5e') + path(`M${x - 5} -8L${x} -22L${x + 5} -8Z`, c.amber))
            .join(''),
      ) +
      place(816, 230, swallow, 1.05, -14, -1) +
      place(930, 330, swallow, 0.92, 8, -1) +
      tallGrass('more', 800, 60, 110, ['#4f9a45', '#3d8239'], 84) +
      blossoms(
        [
          [120, 730],
          [330, 744],
          [640, 736],
          [900, 726],
        ],
        '#fff8ea',
      ),
  );

/** Mina finds a quiet chair. */
export const girlWithBook = (): Svg =>
  page(
    rect(0, 0, 1024, 768, yellow) +
      rect(0, 0, 1024, 46, '#d9980f') +
      rect(0, 46, 1024, 10, '#e8ab1a') +
      rect(-20, 566, 1064, 24, c.paper) +
      [-120, 930]
        .map((x) => rect(x, 110, 220, 410, '#d9980f', 40) + rect(x + 18, 128, 184, 374, '#ffdf94', 28))
        .join('') +
      rect(156, 92, 720, 446, '#d9980f', 46) +
      rect(178, 114, 676, 402, '#ffe7ab', 32) +
      circle(700, 250, 118, '#fff1c9') +
      circle(700, 250, 76, '#fffaea') +
      clip(
        rect(178, 114, 676, 402, '#000', 32),
        place(
          330,
          480,
          rect(-120, -10, 400, 90, '#2f5fb8', 28) +
            path(
              'M-150 60C-172 -80 -168 -230 -150 -296Q-112 -322 -76 -292C-76 -170 -76 -60 -60 60Z',
              '#244a92',
            ) +
            path(
              'M-122 60C-136 -80 -134 -220 -122 -280Q-98 -296 -76 -280C-76 -170 -76 -60 -60 60Z',
              '#2f5fb8',
            ),
        ) +
          person(
            356,
            484,
            2.9,
            { ...mina, shoes: c.paper },
            { legs: 'sit', face: 1, mood: 'calm', tilt: 6, right: [50, -36], left: [38, -30] },
          ) +
          place(
            514,
            352,
            path('M0 66Q-44 44 -88 56V-46Q-44 -62 0 -38Z', '#3f8f4c') +
              path('M0 66Q38 40 72 48V-56Q38 -64 0 -38Z', '#2f7a3d') +
              path(
                'M0 -38Q38 -64 72 -56L68 -64Q36 -70 0 -46Q-44 -68 -84 -54L-88 -46Q-44 -62 0 -38Z',
                c.paper,
              ) +
              stroke('M-66 -22Q-40 -34 -18 -22M-66 2Q-40 -10 -18 2', '#8fc98f', 7),
          ) +
          circle(498, 420, 17, mina.skin) +
          place(500, 500, catAsleep('#e8843c', '#b7552a'), 1.5),
      ) +
      rect(156, 500, 720, 38, '#d9980f', 12) +
      tallGrass('girl', 800, 60, 130, ['#6aa648', '#55913c'], 80) +
      place(
        640,
        752,
        path('M-60 -6V-92H-24V-34Q4 -34 10 -6Z', '#ffd54a') +
          rect(-62, -98, 40, 14, '#f4f0e8', 5) +
          path('M-62 -6H12V4H-62Z', '#a9760f'),
        1.15,
      ) +
      place(
        752,
        762,
        path('M-60 -6V-92H-24V-34Q4 -34 10 -6Z', '#ffd54a') +
          rect(-62, -98, 40, 14, '#f4f0e8', 5) +
          path('M-62 -6H12V4H-62Z', '#a9760f'),
        1.15,
        76,
      ),
  );
