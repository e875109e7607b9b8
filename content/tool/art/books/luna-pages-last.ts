/** "La luna en el balde", the last five pages. */
import { cloud, target } from '../motifs.ts';
import { land } from '../nature.ts';
import { head, person } from '../people.ts';
import { circle, clip, ellipse, path, place, rect, repeat, type Svg, stroke } from '../svg.ts';
import { inBed, nightAbuela, nightNina } from './luna-bed.ts';
import { abuela, bucket, chuno, nina } from './luna-cast.ts';
import { adobe, ceilingMoon, moonbeam, night, page, room, shadow, track, tufts } from './luna-places.ts';

/** A cloud takes the moon away. */
export const lost = (): Svg =>
  page(
    night(circle(560, 116, 150, '#1f2350') + circle(560, 116, 104, '#f3e6b8'), 'nube', true) +
      cloudBank(true) +
      track(true) +
      tufts(
        [
          [90, 612],
          [900, 604],
          [760, 760],
        ],
        0,
        '#4c4058',
      ) +
      place(690, 716, chuno.sitUp, 1.2, 0, -1) +
      person(
        500,
        714,
        1.26,
        {
          ...nina,
          top: '#8f2f3d',
          skin: '#8a6468',
          cheeks: '#8f5763',
          sleeves: '#8a8698',
          trim: '#8f7a45',
          bottom: '#1d1a3d',
        },
        { face: 1, mood: 'sad', tilt: 12, left: [-14, 2], right: [26, -4] },
      ) +
      place(590, 716, bucket('dark'), 0.92),
  );

/** A heavy cloud about 900 wide; a rim of light marks where the moon is behind it. */
function cloudBank(rim: boolean): Svg {
  const heap: readonly (readonly [number, number, number])[] = [
    [180, 250, 110],
    [310, 190, 120],
    [450, 170, 120],
    [600, 160, 128],
    [740, 190, 126],
    [860, 260, 106],
    [300, 320, 90],
    [470, 336, 90],
    [640, 334, 94],
    [790, 320, 84],
  ];
  const core: readonly (readonly [number, number, number])[] = [
    [260, 280, 80],
    [410, 260, 96],
    [570, 262, 104],
    [730, 276, 88],
  ];
  const heapOf = (grow: number, fill: string): Svg =>
    heap.map(([x, y, r]) => circle(x, y, r + grow, fill)).join('');
  return (
    (rim ? clip(circle(560, 116, 250, '#000'), heapOf(9, '#f3e6b8')) : '') +
    heapOf(0, '#4a4570') +
    core.map(([x, y, r]) => circle(x, y, r, '#5c4a86')).join('') +
    rect(250, 280, 500, 80, '#5c4a86', 40)
  );
}

/** They wait, and it comes back. */
export const waiting = (): Svg =>
  page(
    night(
      repeat(
        14,
        (i) =>
          `<g opacity=".4">${place(640, 176, path('M-9 -108L0 -290L9 -108Z', '#fff3cf'), 1, i * 25.7)}</g>`,
      ) + target(640, 176, 94, ['#ffe9b0', '#fff5d8', '#fffbee']),
      'esperar',
    ) +
      place(-130, 0, cloudBank(false), 0.6) +
      stroke(
        'M90 400Q240 372 330 398Q390 416 390 388Q384 366 362 380M40 450Q180 430 260 448M760 420Q860 396 960 420',
        '#8d84b8',
        6,
      ) +
      track() +
      tufts(
        [
          [90, 616],
          [330, 610],
          [820, 606],
          [940, 612],
          [120, 764],
          [880, 764],
        ],
        34,
      ) +
      path('M330 726C310 640 380 590 490 592C610 590 680 640 660 726Z', '#7a6a9a') +
      path('M360 660C400 610 500 600 580 618C500 620 420 640 390 700Z', '#8f80ad') +
      person(470, 606, 1.84, nina, {
        legs: 'sit',
        face: 1,
        mood: 'calm',
        left: [40, -20],
        right: [58, -24],
        tilt: 8,
        lap: place(46, 4, chuno.sit, 0.74),
      }) +
      stroke('M494 510Q560 530 576 566', nina.sleeves ?? '', 21) +
      circle(578, 572, 12, nina.skin) +
      shadow(770, 726, 76, '#6f5d84') +
      place(770, 726, bucket('moon'), 1.2),
  );

/** The bucket is set down where the light falls. */
export const quietly = (): Svg =>
  page(
    room('moon') +
      moonbeam(560, 604) +
      inBed(nightAbuela, 'sleep', 8) +
      shadow(560, 700, 90, '#1a2150') +
      place(560, 700, bucket('moon'), 1.15) +
      person(
        404,
        706,
        1.76,
        { ...nightNina, shoes: nightNina.skin },
        { legs: 'walk', face: 1, mood: 'calm', lean: 16, right: [58, -26], left: [24, -40] },
      ) +
      place(96, 610, chuno.sit, 1.5),
  );

/** A small moon dances on the ceiling. */
export const ceiling = (): Svg =>
  page(
    room('moon') +
      path('M628 424Q700 392 760 410V480H628Z', '#c2c8ee') +
      moonbeam(430, 604) +
      `<g opacity=".26">${path('M388 604L360 66H500L472 604Z', '#dfe8ff')}</g>` +
      ceilingMoon(430, 58) +
      place(686, 424, head(nightNina, { face: -1, mood: 'laugh' }), 1.56, 10) +
      inBed(nightAbuela, 'laugh', 10) +
      stroke('M764 524Q728 500 750 448', nightAbuela.top, 24) +
      circle(752, 440, 14, nightAbuela.skin) +
      stroke('M842 524Q872 490 846 450', nightAbuela.top, 24) +
      circle(842, 442, 14, nightAbuela.skin) +
      stroke('M648 500Q606 440 572 356', nightNina.sleeves ?? '', 21) +
      circle(570, 348, 12, nightNina.skin) +
      stroke('M568 344L554 318', nightNina.skin, 8) +
      shadow(430, 700, 90, '#1a2150') +
      place(430, 700, bucket('moon'), 1.15) +
      place(250, 730, chuno.sitUp, 1.4),
  );

/** In the morning the plant is watered with it. */
export const morning = (): Svg =>
  page(
    rect(0, 0, 1024, 768, '#9fd3ee') +
      circle(880, 120, 120, '#b7dff3') +
      circle(880, 120, 88, '#ffe08a') +
      circle(880, 120, 62, '#ffd05c') +
      cloud(520, 150, 190, '#ffffff') +
      cloud(700, 250, 120, '#e6f4fb') +
      land(
        [
          [-20, 380],
          [200, 320],
          [420, 370],
          [640, 310],
          [860, 360],
          [1050, 330],
        ],
        460,
        '#8b7bc2',
      ) +
      rect(0, 400, 1024, 140, '#2f7fd0') +
      repeat(5, (i) => rect([560, 700, 880, 620, 790][i] ?? 0, 420 + i * 20, 100, 6, '#6fb0ea', 3)) +
      land(
        [
          [-20, 520],
          [260, 500],
          [620, 516],
          [1050, 500],
        ],
        780,
        '#c9b25a',
      ) +
      path('M180 780Q300 600 470 560H640Q760 640 860 780Z', '#e6cf95') +
      tufts(
        [
          [900, 560],
          [980, 640],
          [700, 540],
          [40, 760],
        ],
        0,
        '#a8923d',
      ) +
      adobe(20, 590, 1.46, true) +
      place(
        486,
        640,
        stroke('M40 70V-96M-34 70V4M40 4H-34', '#6e4426', 12) + rect(-42, -2, 88, 14, '#7d4f2e', 5),
        1.05,
      ) +
      person(
        486,
        636,
        1.66,
        { ...abuela, top: '#8d52b5', wear: 'poncho', trim: '#d7a6f0', sleeves: '#f0dcb8', bottom: '#7d2f55' },
        {
          legs: 'sit',
          face: 1,
          mood: 'smile',
          right: [46, -38],
          left: [36, -34],
          rightHolds:
            rect(-12, -16, 26, 26, '#fff6e6', 6) +
            stroke('M14 -10q10 1 8 9q-2 6-8 6', '#fff6e6', 5) +
            stroke('M-4 -24q-5-8 0-14q5-7 0-13M6 -24q-5-8 0-14q5-7 0-13', '#ffffff', 3.4),
        },
      ) +
      place(
        906,
        716,
        path('M-60 -96H60L46 0H-46Z', '#c2683a') +
          rect(-70, -112, 140, 30, '#d97f4c', 8) +
          stroke('M-44 -60Q0 -48 44 -60', '#e6a06e', 7) +
          stroke('M0 -112Q8 -190 -4 -262', '#3f8f4c', 10) +
          ellipse(-40, -160, 42, 15, '#57a85c', 28) +
          ellipse(40, -186, 42, 15, '#3f8f4c', -28) +
          ellipse(-32, -214, 30, 11, '#3f8f4c', 30) +
          circle(-4, -278, 30, '#fffdf4') +
          circle(-4, -278, 30, '#fffdf4') +
          path('M-34 -270Q-4 -236 26 -270Q16 -250 8 -244H-16Q-26 -252 -34 -270Z', '#57a85c') +
          stroke('M-4 -306Q-18 -284 -10 -262M-4 -306Q12 -286 6 -262', '#e3dcc4', 4),
      ) +
      shadow(700, 726, 84, '#cbb273') +
      person(694, 726, 1.8, nina, { face: 1, mood: 'smile', right: [42, -62], left: [36, -50] }) +
      stroke('M846 566Q872 580 874 612', '#8fd0ff', 15) +
      place(768, 530, bucket('none', false), 0.9, 104) +
      circle(768, 518, 13, nina.skin) +
      circle(782, 548, 13, nina.skin) +
      shadow(270, 738, 130, '#cbb273') +
      place(270, 736, chuno.lie, 1.6),
  );
