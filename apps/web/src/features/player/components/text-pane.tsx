import { useQuery } from '@tanstack/react-query';
import { cn } from '#shared/ui/cn.ts';
import { articleQuery } from '../queries.ts';
import { HeardText } from './heard-text.tsx';
import { ReadingTools } from './reading-tools.tsx';

// Here and not among the styles, which ride in every page.
const faded = 'linear-gradient(transparent, black 2.5rem, black calc(100% - 2.5rem), transparent)';

/** The text that is read along, and what can be done with its sentences. */
export function TextPane({ id, className }: { id: string; className: string }) {
  const { data } = useQuery(articleQuery(id));
  return (
    <div className={cn('min-h-0 grid-rows-[minmax(0,1fr)_auto] gap-2', className)}>
      <div
        style={{ maskImage: faded }}
        className="mt-8 min-h-0 overflow-y-auto scroll-smooth py-8 landscape:mt-0 landscape:py-[30vh]"
      >
        <HeardText id={id} />
      </div>
      {data && data.sentences.length > 0 && (
        <ReadingTools hasTranslation={data.translationLanguage !== null} />
      )}
    </div>
  );
}
