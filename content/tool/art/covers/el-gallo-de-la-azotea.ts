import { call, echo, target } from '../motifs.ts';
import * as c from '../palette.ts';
import { circle, ellipse, path, picture, poly, rect, repeat, type Svg, stroke } from '../svg.ts';

/** Ramón sings on the roof before a rising sun; below, the neighbours' windows. */
export function cover(): Svg {
  const sky =
    rect(0, 0, 640, 640, c.aubergine) +
    echo(330, 330, 272, 46, 5, c.plum, 14) +
    target(330, 330, 240, [c.coral, c.amber, c.honey]);
  const tail = [
    ['M262 360C170 350 120 280 132 190', c.ink, 34],
    ['M258 350C200 330 160 250 182 160', c.teal, 30],
    ['M262 344C230 310 212 240 236 176', c.cream, 22],
    ['M250 372C180 380 110 350 84 280', c.berry, 28],
  ]
    .map(([d, colour, w]) => stroke(String(d), String(colour), Number(w)))
    .join('');
  const legs = stroke('M312 420V496M352 420V496M290 500H330M332 500H374', c.brick, 10);
  const body = path(
    'M232 330C290 346 338 312 356 250C366 206 366 160 398 142L452 158C462 196 458 232 456 268C452 350 420 424 340 440C270 446 214 404 210 348C212 334 220 328 232 330Z',
    c.night,
  );
  const hackle = path(
    'M398 142L452 158C462 196 458 232 456 268L440 318L424 280L404 330L388 284L364 324L356 264C366 206 366 160 398 142Z',
    c.cream,
  );
  const wing =
    path('M250 352C290 340 340 350 366 370C350 410 300 420 268 400C256 390 248 372 250 352Z', c.teal) +
    stroke('M282 366Q310 366 334 378M290 386Q308 386 322 392', c.mint, 7);
  const comb =
    circle(384, 136, 19, c.rose) +
    circle(402, 112, 22, c.rose) +
    circle(430, 110, 20, c.rose) +
    circle(450, 130, 15, c.rose);
  const face =
    ellipse(458, 224, 14, 27, c.rose) +
    ellipse(440, 218, 11, 20, c.berry) +
    poly(
      [
        [448, 150],
        [516, 118],
        [456, 184],
      ],
      c.ochre,
    ) +
    poly(
      [
        [452, 176],
        [500, 192],
        [450, 202],
      ],
      c.ochre,
    ) +
    circle(424, 166, 9, c.ink);
  const wall = rect(0, 500, 640, 140, c.berry) + rect(0, 496, 640, 22, c.rose);
  const panes = repeat(
    4,
    (i) =>
      rect(48 + i * 148, 552, 100, 100, i === 2 ? c.honey : c.wine, 10) +
      rect(40 + i * 148, 540, 116, 14, c.rose, 4) +
      (i === 2
        ? circle(98 + i * 148, 620, 26, c.wine) + rect(62 + i * 148, 634, 72, 20, c.wine, 8)
        : stroke(`M${98 + i * 148} 566V640`, c.berry, 8)),
  );
  return picture(
    640,
    640,
    sky +
      tail +
      legs +
      body +
      wing +
      hackle +
      comb +
      face +
      call(516, 152, 34, 34, 3, -62, 22, c.cream, 12) +
      wall +
      panes,
  );
}
