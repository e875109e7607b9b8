/** Returns a text in lower case and without accents, as the server compares texts of bookmarks and words of a search. */
export const normalizeText = (text: string): string =>
  text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
