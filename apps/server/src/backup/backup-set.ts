import * as z from 'zod/mini';

const DAY_MS = 86_400_000;

/** The description of a backup set. It is written last: a set without it is incomplete. */
export const manifestSchema = z.object({
  format: z.literal(1),
  /** The version of Escucho that took it; the same version restores it. */
  version: z.string(),
  createdAt: z.string(),
  tables: z.number(),
  rows: z.number(),
  /** Whether it was restored into a scratch database and compared. */
  verified: z.boolean(),
  /** The other files by name, with their size in bytes and SHA-256 in hex. */
  files: z.record(z.string(), z.object({ size: z.number(), sha256: z.string() })),
});
export type Manifest = z.infer<typeof manifestSchema>;

/** The media at the time of a backup: keys, which are checksums of their content. */
export const mediaListSchema = z.array(z.string());

export const MANIFEST_FILE = 'manifest.json';
export const MEDIA_FILE = 'media.json';

/** Returns the names of the files that are encrypted where there is a recipient. */
export const getSecretFiles = (isEncrypted: boolean) => {
  const suffix = isEncrypted ? '.age' : '';
  return { database: `database.gz${suffix}`, secrets: `secrets.json${suffix}` };
};

/** A set in a store, by its name, which is the time it was begun. */
export interface BackupSet {
  readonly name: string;
  readonly isComplete: boolean;
}

/** Returns the name of a set, e.g. `2026-11-23T03-06-40Z`: a time whose characters every file system accepts. */
export const toSetName = (time: Date): string => `${time.toISOString().slice(0, 19).replaceAll(':', '-')}Z`;

/** Returns whether a text is the name of a backup set: its time, such as `2026-11-23T03-15-00Z`. */
export const isSetName = (text: string): boolean => /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ$/.test(text);

/** Returns the time at which a set was begun, in milliseconds. */
export const toSetTime = (name: string): number =>
  Date.parse(
    name.replace(
      /T(\d\d)-(\d\d)-(\d\d)Z$/,
      (_, hours, minutes, seconds) => `T${hours}:${minutes}:${seconds}Z`,
    ),
  );

/** Returns the newest complete set. */
export const findNewestSet = (sets: readonly BackupSet[]): BackupSet | undefined =>
  sets.filter(({ isComplete }) => isComplete).toSorted((one, other) => (one.name < other.name ? 1 : -1))[0];

/**
 * Returns the sets to remove: complete ones older than `keepDays`, except the newest, and incomplete ones older than a
 * day, which no process is still writing.
 */
export function selectExpiredSets(sets: readonly BackupSet[], now: Date, keepDays: number): BackupSet[] {
  const newest = findNewestSet(sets);
  return sets.filter((set) => {
    const days = set.isComplete ? keepDays : 1;
    return set !== newest && toSetTime(set.name) < now.getTime() - days * DAY_MS;
  });
}
