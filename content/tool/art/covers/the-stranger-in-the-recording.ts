import { echo, voice } from '../motifs.ts';
import * as c from '../palette.ts';
import { clip, path, picture, place, rect, repeat, type Svg, stroke } from '../svg.ts';

/** A head in profile with a cello inside; its voice goes out thin to a microphone and stays deep within. */
export function cover(): Svg {
  const ground = rect(0, 0, 640, 640, c.aubergine) + echo(270, 262, 250, 42, 8, c.plum, 14);
  const profile =
    'M90 660C96 590 110 560 110 520C60 470 36 390 44 300C54 156 150 64 284 64C400 64 470 136 478 236C480 270 470 284 482 306C500 340 516 356 514 368C512 380 486 382 484 392C482 404 494 410 490 422C488 432 478 434 478 442C478 450 490 456 486 470C478 508 440 508 396 500C372 500 368 530 372 560C376 600 400 620 410 660Z';
  const inner = clip(path(profile, c.ink), echo(262, 300, 92, 40, 9, '#d9543c', 16));
  const cello = place(
    262,
    292,
    path('M-6 -168H6V-40H-6Z', c.umber) +
      path(
        'M0 -60C40 -64 66 -44 60 -16C56 4 40 12 44 28C52 44 82 54 78 92C74 134 36 140 0 140C-36 140 -74 134 -78 92C-82 54 -52 44 -44 28C-40 12 -56 4 -60 -16C-66 -44 -40 -64 0 -60Z',
        c.amber,
      ) +
      path('M0 -60C40 -64 66 -44 60 -16C56 4 40 12 44 28C52 44 82 54 78 92C74 134 36 140 0 140Z', c.ochre) +
      stroke('M-28 30Q-38 44 -30 58Q-24 70 -32 82M28 30Q38 44 30 58Q24 70 32 82', c.umber, 6) +
      rect(-20, 56, 40, 9, c.umber, 4) +
      path('M-12 84H12L7 128H-7Z', c.umber) +
      repeat(4, (i) => stroke(`M${-6 + i * 4} -150V112`, c.cream, 1.6)) +
      rect(-12, -188, 24, 30, c.umber, 8) +
      stroke('M-22 -178H22M-20 -166H20', c.umber, 6),
    0.98,
    12,
  );
  const mic = place(
    586,
    452,
    rect(-24, -42, 70, 84, c.stone, 35) +
      repeat(4, (i) => rect(-16, -22 + i * 14, 50, 5, c.ink, 2)) +
      rect(4, 42, 14, 170, c.stone),
    1,
    0,
  );
  const thin = voice(508, 450, [16, 34, 22], 15, 6, c.mint);
  return picture(640, 640, ground + path(profile, c.coral) + inner + cello + mic + thin);
}
