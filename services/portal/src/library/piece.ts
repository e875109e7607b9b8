import * as z from 'zod/mini';

const text = (max: number) =>
  z.string().check(z.minLength(1), z.maxLength(max), z.regex(/^[^\p{Cc}]*$/u, 'holds a control character'));
const slug = text(100).check(z.regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'is not lower-case words with hyphens'));
const seconds = z.number().check(z.nonnegative());
const number = z.int().check(z.nonnegative());
// Plain names: what a piece says must not lead out of its folder.
const fileName = (extension: string) =>
  text(100).check(z.regex(new RegExp(`^[\\w-]+\\.${extension}$`), `is not the name of a .${extension} file`));
const portrait = text(100).check(z.regex(/^narrators\/[\w-]+\.avif$/, 'is not narrators/<name>.avif'));
export const language = z.enum(['en', 'es']);
export const level = z.enum(['A1', 'A2', 'B1', 'B2', 'C1', 'C2']);
export const kind = z.enum(['article', 'audiobook', 'visual-book']);

const fields = z.object({
  slug,
  title: text(300),
  language,
  translationLanguage: z.nullish(language),
  level,
  kind,
  topic: text(60),
  summary: text(2000),
  published: z.iso.date(),
  narrator: z.object({ name: text(100), image: z.nullish(portrait) }),
  duration: z.number().check(z.positive()),
  audio: z.object({ file: fileName('mp3'), loudness: z.nullish(z.number().check(z.gte(-70), z.lte(10))) }),
  chapters: z.array(z.object({ title: text(300), start: seconds })),
  pages: z.array(z.object({ title: text(300), picture: text(100), alt: text(1000), start: seconds })),
  sentences: z.array(
    z.object({
      text: text(5000),
      translation: z.nullish(text(5000)),
      start: seconds,
      end: seconds,
      paragraph: number,
      chapter: z.nullish(number),
      page: z.nullish(number),
    }),
  ),
});

/** Encoders round: the last sentence may end a little after the audio. */
const SLACK_SECONDS = 1;

/** A piece: what is known of it, its text and when each sentence is spoken. Times in seconds, loudness in LUFS. */
export const recordingSchema = fields.check(({ value: piece, issues }) => {
  const fault = (path: (string | number)[], message: string) =>
    issues.push({ code: 'custom', path, message, input: piece });
  piece.sentences.forEach(({ start, end, chapter, page }, index) => {
    const previous = piece.sentences[index - 1];
    if (end < start || end > piece.duration + SLACK_SECONDS)
      fault(['sentences', index], 'ends before it starts or after the audio');
    if (previous && start < previous.start) fault(['sentences', index], 'starts before the one above it');
    if (typeof chapter === 'number' && !piece.chapters[chapter])
      fault(['sentences', index, 'chapter'], 'there is no such chapter');
    if (typeof page === 'number' && !piece.pages[page])
      fault(['sentences', index, 'page'], 'there is no such page');
  });
  piece.pages.forEach(({ picture }, index) => {
    if (!/^[\w-]+$/.test(picture)) fault(['pages', index, 'picture'], 'is not a plain name');
  });
});
/** What a article.json says: a piece that has a text. */
export const pieceSchema = recordingSchema.check(({ value: piece, issues }) => {
  if (piece.sentences.length === 0)
    issues.push({ code: 'custom', path: ['sentences'], message: 'holds none', input: piece });
});
export type Piece = z.infer<typeof pieceSchema>;

/** A piece's pictures and audio: as paths on disk, or as keys of the media store. */
export interface PieceMedia {
  image: string;
  artwork: string;
  audio: string;
  portrait: string | null;
  /** In the order of the piece's pages. */
  pages: string[];
}

/** All paths or keys of a piece, in a fixed order. */
export const allOf = ({ image, artwork, audio, portrait, pages }: PieceMedia): string[] => [
  ...[image, artwork, audio, ...pages],
  ...(portrait === null ? [] : [portrait]),
];

/** The system's playlists, in Discover's order; `key` never changes, `articles` are slugs in order. */
export const playlistsSchema = z.array(
  z.object({
    key: slug,
    name: text(80),
    titles: z.object({ en: text(80), es: text(80) }),
    articles: z.array(slug),
  }),
);
export type PlaylistEntry = z.infer<typeof playlistsSchema>[number];
