import { contentKind, level, singleLineText } from '@escucho/contracts';
import * as z from 'zod/mini';

const text = (max: number) => singleLineText(max).check(z.trim(), z.minLength(1));

const changesSchema = z.partial(
  z.object({
    title: text(300),
    summary: text(2000),
    level,
    kind: contentKind.check(z.refine((value) => value !== 'visual-book')),
    topic: text(60).check(z.toLowerCase()),
    narrator: text(100),
    published: z.iso.date(),
  }),
);
type ArticleChanges = z.infer<typeof changesSchema>;

/** New values as an administrator typed them. */
export type ArticleChangesInput = Partial<Record<keyof ArticleChanges, string | undefined>>;

/** A request of an administrator that cannot be fulfilled. The message is shown to them. */
export class CatalogueAdminError extends Error {
  override readonly name = 'CatalogueAdminError';
}

/** Accepted values of the fields that are not free text. */
const acceptedValues: Partial<Record<string, string>> = {
  level: 'A1, A2, B1, B2, C1 or C2',
  kind: 'article or audiobook',
  published: 'YYYY-MM-DD',
};

/**
 * Validates changes to an article.
 *
 * @throws CatalogueAdminError that names every invalid field, or when there are no changes.
 */
export function parseChanges(input: ArticleChangesInput): ArticleChanges {
  const normalized = { ...input, level: input.level?.toUpperCase() };
  const present = Object.fromEntries(Object.entries(normalized).filter(([, value]) => value !== undefined));
  if (Object.keys(present).length === 0)
    throw new CatalogueAdminError('Change what? Name at least one of the options.');
  const result = changesSchema.safeParse(present);
  if (result.success) return result.data;
  const names = new Set(result.error.issues.map(({ path }) => path.join('.')));
  const fields = Array.from(names, (name) =>
    acceptedValues[name] ? `${name} (${acceptedValues[name]})` : name,
  );
  throw new CatalogueAdminError(`Not usable: ${fields.join(', ')}. Nothing was changed.`);
}

/** Converts changes to columns of the table `article`. */
export const toColumns = ({ published, ...changes }: ArticleChanges) => ({
  ...Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined)),
  ...(published !== undefined && { published_at: new Date(`${published}T00:00:00Z`) }),
});
