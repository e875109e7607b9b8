import { cn } from '../../../shared/ui/cn.ts';
import { isSpoken, type Sentence } from '../model/pages.ts';

interface Props {
  paragraphs: readonly (readonly Sentence[])[];
  language: string;
  /** Where the book sounds, in seconds; null while it does not. */
  position: number | null;
  onSeek: (position: number) => void;
}

/** A page's words: the sentence that is spoken is lit, a press on one is heard from there (PLAY-08). */
export const BookText = ({ paragraphs, language, position, onSeek }: Props) => (
  <div
    lang={language}
    className="grid gap-[0.9em] font-serif text-[1.25rem] leading-[1.6] md:text-[1.375rem]"
  >
    {paragraphs.map((paragraph) => (
      <p key={paragraph[0]?.start}>
        {paragraph.map((sentence) => (
          <span key={sentence.start}>
            {/* biome-ignore lint/a11y/useSemanticElements: a real button is a box of its own and cannot break across lines */}
            <span
              role="button"
              tabIndex={0}
              aria-current={isSpoken(sentence, position) ? 'true' : undefined}
              onClick={() => onSeek(sentence.start)}
              onKeyDown={(event) => {
                if (event.key !== 'Enter' && event.key !== ' ') return;
                event.preventDefault();
                onSeek(sentence.start);
              }}
              className={cn(
                '-mx-[0.15em] cursor-pointer rounded-sm box-decoration-clone px-[0.15em] transition-colors hover:bg-hover',
                isSpoken(sentence, position) && 'bg-accent-soft',
              )}
            >
              {sentence.text}
            </span>{' '}
          </span>
        ))}
      </p>
    ))}
  </div>
);
