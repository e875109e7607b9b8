export type Texts = ReadonlyMap<string, string>;

/** One flat table of texts. In: words by file, e.g. `{ player: { play: 'Play' } }`. Out: `player.play` → `Play`; what is in `message` goes by its bare name. */
export function flatten(words: Record<string, Record<string, string>>): Texts {
  return new Map(
    Object.entries(words).flatMap(([space, texts]) =>
      Object.entries(texts).map(
        ([name, text]) => [space === 'message' ? name : `${space}.${name}`, text] as const,
      ),
    ),
  );
}
