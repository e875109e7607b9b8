/** Covers for pieces nobody has drawn: a few scenes for each topic, with colours and proportions that follow from the slug. */

import { arc, echo, voice } from '../motifs.ts';
import { firstScheme, schemes } from '../palette.ts';
import { chance, picture, rect, type Svg } from '../svg.ts';
import * as more from './more-scenes.ts';
import type { Scene } from './scenes.ts';
import * as base from './scenes.ts';

const plain: Scene = (s, next) =>
  echo(320, 320, 60, 52, 6, s.mid, 14) +
  arc(320, 320, 250, 190, 350, s.main, 26) +
  voice(320 - 150, 320, base.murmur(next, 7, 70, 330), 50, 26, s.light);

const scenes: Readonly<Record<string, readonly Scene[]>> = {
  'daily-life': [base.dailyLife, more.kitchenRadio, more.skyline],
  food: [base.food, more.bakery],
  travel: [base.travel, more.crossing],
  nature: [base.nature, more.birdsong, more.pines, more.shoal],
  science: [base.science, more.planet],
  history: [base.history, more.aqueduct],
  culture: [base.culture, more.listening],
  technology: [base.technology, more.pocket],
  stories: [base.stories, more.voyage],
};

/** A cover for any piece: a scene of its topic (or a bare voice for an unknown one), coloured and shaped by the slug. */
export function fallbackCover(slug: string, topic: string): Svg {
  const next = chance(`${slug} ${topic}`);
  const s = schemes[Math.floor(next() * schemes.length)] ?? firstScheme;
  const kinds = scenes[topic] ?? [];
  const scene = kinds[Math.floor(next() * kinds.length)] ?? plain;
  return picture(640, 640, rect(0, 0, 640, 640, s.ground) + scene(s, next));
}
