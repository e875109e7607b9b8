/** What a page needs early. `files`: its code; `words`: the sets of words beside the one that every page needs; `calls`: addresses of the own API that it asks first, for signed-in readers. */
export interface Early {
  files: readonly string[];
  words: readonly string[];
  calls: readonly string[];
}

export interface Plan {
  /** By the beginning of the path, in lower case. */
  pages: Record<string, Early>;
  auth: Early;
  /** The files of words, by language and set. */
  words: Record<string, Record<string, readonly string[]>>;
  config: string;
}
