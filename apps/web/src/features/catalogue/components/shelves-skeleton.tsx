import { useT } from '#shared/i18n/i18n.ts';
import { Skeleton } from '#shared/ui/skeleton.tsx';

const shelves = ['first', 'second'];
// As many as the shelf shows at each width.
const cards = [
  { name: 'a', seen: '' },
  { name: 'b', seen: '' },
  { name: 'c', seen: 'max-sm:hidden' },
  { name: 'd', seen: 'max-lg:hidden' },
  { name: 'e', seen: 'max-lg:hidden' },
  { name: 'f', seen: 'max-xl:hidden' },
];

/** Two shelves of nothing, in the shape of what comes. */
export function ShelvesSkeleton() {
  const t = useT();
  return (
    <div role="status" className="grid gap-9">
      <span className="sr-only">{t('common.loading')}</span>
      {shelves.map((shelf) => (
        <div key={shelf}>
          <Skeleton className="mt-2.5 mb-6 h-6 w-48" />
          <div className="grid grid-cols-2 gap-4 sm:grid-cols-3 lg:grid-cols-5 xl:grid-cols-6">
            {cards.map(({ name, seen }) => (
              <div key={name} className={seen}>
                <Skeleton className="aspect-square w-full" />
                <Skeleton className="mt-3 h-4 w-11/12" />
                <Skeleton className="mt-2 h-3.5 w-2/3" />
              </div>
            ))}
          </div>
        </div>
      ))}
    </div>
  );
}
