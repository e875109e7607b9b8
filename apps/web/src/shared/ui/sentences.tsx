import type { Article } from '@escucho/contracts';
import { clsx } from 'clsx';
import { type ComponentProps, useMemo } from 'react';

type Sentence = Article['sentences'][number];
type Place = Pick<Sentence, 'paragraph' | 'chapter' | 'page'>;

/** Groups sentences by a key, in the order of the first sentence of each group. */
export function groupSentences<Each, Key>(
  sentences: readonly Each[],
  getKey: (sentence: Each) => Key,
): Map<Key, Each[]> {
  const groups = new Map<Key, Each[]>();
  for (const sentence of sentences) {
    const key = getKey(sentence);
    const group = groups.get(key);
    if (group) group.push(sentence);
    else groups.set(key, [sentence]);
  }
  return groups;
}

/** Returns the sentences of each paragraph. A new chapter or page starts a paragraph. */
export const toParagraphs = <Each extends Place>(sentences: readonly Each[]): Each[][] => [
  ...groupSentences(sentences, ({ chapter, page, paragraph }) => `${chapter} ${page} ${paragraph}`).values(),
];

interface Props {
  sentences: readonly Sentence[];
  /** The position of the narration in seconds; null while it is not the active track. */
  position: number | null;
  onSeek: (start: number) => void;
  /** The language of the translation shown below each sentence; null shows none. */
  translationLanguage?: string | null;
}

/** Returns whether a sentence is being spoken at a position. */
export const isActiveSentence = (
  { start, end }: Pick<Sentence, 'start' | 'end'>,
  position: number | null,
): boolean => position !== null && position >= start && position < end;

interface SentenceButtonProps extends ComponentProps<'span'> {
  isCurrent: boolean;
  onPress: () => void;
}

/** A sentence to press, within the lines of a paragraph. */
export const SentenceButton = ({ isCurrent, onPress, className, ...span }: SentenceButtonProps) => (
  // biome-ignore lint/a11y/useSemanticElements: a real button is a box of its own and cannot break across lines
  <span
    role="button"
    tabIndex={0}
    aria-current={isCurrent ? 'true' : undefined}
    onClick={onPress}
    onKeyDown={(event) => {
      if (event.key !== 'Enter' && event.key !== ' ') return;
      event.preventDefault();
      onPress();
    }}
    {...span}
    className={clsx('-mx-[0.15em] cursor-pointer rounded-sm box-decoration-clone px-[0.15em]', className)}
  />
);

/** A narrated text: highlights the active sentence, and seeks to a sentence on press (PLAY-08). */
export function Sentences({ sentences, position, onSeek, translationLanguage = null }: Props) {
  // Several sentences may start at the same time.
  const paragraphs = useMemo(
    () => toParagraphs(sentences.map((sentence, index) => ({ ...sentence, index }))),
    [sentences],
  );
  return paragraphs.map((paragraph) => (
    <p key={paragraph[0]?.index}>
      {paragraph.map((sentence) => (
        <span key={sentence.index} className={translationLanguage ? 'mb-2 block' : undefined}>
          <SentenceButton
            isCurrent={isActiveSentence(sentence, position)}
            onPress={() => onSeek(sentence.start)}
            className={clsx(
              'transition-colors hover:bg-hover',
              isActiveSentence(sentence, position) && 'bg-accent-soft',
            )}
          >
            {sentence.text}
          </SentenceButton>{' '}
          {translationLanguage && sentence.translation && (
            <span lang={translationLanguage} className="block font-sans text-sm text-muted">
              {sentence.translation}
            </span>
          )}
        </span>
      ))}
    </p>
  ));
}
