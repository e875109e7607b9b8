import { level, type Track } from '@escucho/contracts';

/** A list of the catalogue as the API is asked for it (CAT-04). */
export interface Listed {
  kind?: 'audiobook';
  topic?: string;
  level?: Track['level'];
  narrator?: string;
}

/** Which list an address names. In: /articles/{resource}/{arg}. Out: the list, or null when there is none of that name. */
export function listOf(resource: string, arg: string | undefined): Listed | null {
  switch (resource.toLowerCase()) {
    case 'latest':
      return arg === undefined ? {} : null;
    case 'audiobooks':
      return arg === undefined ? { kind: 'audiobook' } : null;
    case 'topic':
      return arg ? { topic: arg } : null;
    case 'narrator':
      return arg ? { narrator: arg } : null;
    case 'level': {
      const named = level.safeParse(arg?.toUpperCase());
      return named.success ? { level: named.data } : null;
    }
    default:
      return null;
  }
}

interface Sentence {
  paragraph: number;
  chapter: number | null;
}

/** A text in its parts: chapters, if it has any, with their paragraphs. In: its sentences in order. */
export function partsOf<S extends Sentence>(
  sentences: readonly S[],
): { chapter: number | null; paragraphs: S[][] }[] {
  const parts: { chapter: number | null; paragraphs: S[][] }[] = [];
  for (const sentence of sentences) {
    let part = parts.at(-1);
    if (!part || part.chapter !== sentence.chapter) {
      part = { chapter: sentence.chapter, paragraphs: [] };
      parts.push(part);
    }
    const paragraph = part.paragraphs.at(-1);
    if (paragraph?.[0]?.paragraph === sentence.paragraph) paragraph.push(sentence);
    else part.paragraphs.push([sentence]);
  }
  return parts;
}
