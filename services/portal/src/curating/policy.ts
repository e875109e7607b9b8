import { singleLineText } from '@escucho/contracts';
import * as z from 'zod/mini';
import { kind, level } from '../library/piece.ts';

const text = (max: number) => singleLineText(max).check(z.trim(), z.minLength(1));

const changes = z.partial(
  z.object({
    title: text(300),
    summary: text(2000),
    level,
    kind: kind.check(z.refine((value) => value !== 'visual-book')),
    topic: text(60).check(z.toLowerCase()),
    narrator: text(100),
    published: z.iso.date(),
  }),
);
export type Changes = z.infer<typeof changes>;

/** What is wrong with what an editor asks for, in words. */
export class CuratingFault extends Error {
  override readonly name = 'CuratingFault';
}

/** What each may be, where that is not any line of text. */
const advice: Partial<Record<string, string>> = {
  level: 'A1, A2, B1, B2, C1 or C2',
  kind: 'article or audiobook',
  published: 'YYYY-MM-DD',
};

/** What may be edited by hand. In: the new values as somebody gives them. Throws `CuratingFault`. */
export function checkedChanges(given: Partial<Record<keyof Changes, string | undefined>>): Changes {
  const said = { ...given, level: given.level?.toUpperCase() };
  const named = Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined));
  if (Object.keys(named).length === 0)
    throw new CuratingFault('Change what? Name at least one of the options.');
  const result = changes.safeParse(named);
  if (result.success) return result.data;
  const names = new Set(result.error.issues.map(({ path }) => path.join('.')));
  const faults = Array.from(names, (name) => (advice[name] ? `${name} (${advice[name]})` : name));
  throw new CuratingFault(`Not usable: ${faults.join(', ')}. Nothing was changed.`);
}

/** Changes as the columns of an article. */
export const columnsOf = ({ published, ...changes }: Changes) => ({
  ...Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined)),
  ...(published !== undefined && { published_at: new Date(`${published}T00:00:00Z`) }),
});
