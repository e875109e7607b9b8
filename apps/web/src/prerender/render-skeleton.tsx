import { QueryClientProvider } from '@tanstack/react-query';
import { clsx } from 'clsx';
import { prerender } from 'react-dom/static';
import { GuardedPages } from '../app/routes.tsx';
import { PageSearchBox } from '../app/shell/search-box.tsx';
import { Shell } from '../app/shell/shell.tsx';
import { SectionsSkeleton } from '../features/catalogue/components/discover-sections.tsx';
import { columns } from '../features/catalogue/components/section.tsx';
import { createQueryClient } from '../shared/api/query-client.ts';
import { LocationProvider, toStaticLocation } from '../shared/location.tsx';
import { paths } from '../shared/paths.ts';
import { Skeleton } from '../shared/ui/states.tsx';
import { appPages } from './pages.ts';

/** The page at a path while its data is loading. */
const PageSkeleton = ({ path }: { path: string }) => (
  <LocationProvider location={toStaticLocation(path)}>
    <PageSearchBox />
    <GuardedPages />
  </LocationProvider>
);

/** Runs before the first paint; the boot script has the function on Discover only. */
const RENDER_STORED_DISCOVER = 'window.__renderCachedDiscover?.()';

/** The skeleton of Discover, whose greeting has the user's name. The stored response is rendered in it. */
const DiscoverSkeleton = () => (
  <>
    <div className="skeleton w-80 max-w-full rounded-md text-2xl">&nbsp;</div>
    <div className="skeleton mt-2 mb-8 w-64 max-w-full rounded-md">&nbsp;</div>
    <div id="discover-preview" className="grid grid-cols-1 gap-9">
      <SectionsSkeleton />
    </div>
    <script>{RENDER_STORED_DISCOVER}</script>
  </>
);

const itemSkeletons = {
  cards: (
    <li className="flex items-center gap-3 rounded-lg border border-line bg-surface pr-1">
      <img
        alt=""
        width="96"
        height="96"
        decoding="sync"
        className="size-24 rounded-l-lg bg-overlay object-cover"
      />
      <p className="line-clamp-2 text-sm font-semibold" />
    </li>
  ),
  covers: (
    <li>
      <img
        alt=""
        width="320"
        height="320"
        decoding="sync"
        className="aspect-square w-full rounded-md bg-overlay object-cover"
      />
      <p className="mt-2.5 mr-7 line-clamp-2 text-sm font-semibold" />
      <div className="skeleton mt-0.5 w-2/3 rounded-md text-xs">&nbsp;</div>
      <div className="skeleton mt-1.5 w-2/3 rounded-md py-0.5 text-[0.6875rem] leading-4">&nbsp;</div>
    </li>
  ),
} as const;

/** A section of Discover, for the stored response that boot/discover-preview.ts renders. */
const SectionTemplate = ({ itemSize }: { itemSize: keyof typeof itemSkeletons }) => (
  <template id={`${itemSize}-template`}>
    <div>
      <div className="mb-2 flex min-h-11 items-center">
        <Skeleton className="h-6 w-48" />
      </div>
      <ul
        className={clsx(
          '-mx-4 grid auto-rows-fr grid-flow-col gap-4 overflow-hidden px-4 py-1.5 sm:-mx-8 sm:px-8',
          columns[itemSize],
        )}
      >
        {itemSkeletons[itemSize]}
      </ul>
    </div>
  </template>
);

/**
 * Renders the shell with the skeleton of each page for signed-in users, in the language shown now. The boot script shows
 * one of them.
 */
export async function renderSkeleton(): Promise<string> {
  const client = createQueryClient();
  const { prelude } = await prerender(
    <LocationProvider location={toStaticLocation('/')}>
      <QueryClientProvider client={client}>
        <div aria-hidden inert>
          <SectionTemplate itemSize="cards" />
          <SectionTemplate itemSize="covers" />
          <Shell onNavigation={() => undefined} player={<div className="player-room" />}>
            {Object.entries(appPages)
              .filter(([, { variantOf }]) => variantOf === undefined)
              .map(([path, { example }]) => (
                <div key={path} data-skeleton={path} className="hidden">
                  {path === paths.discover ? <DiscoverSkeleton /> : <PageSkeleton path={example} />}
                </div>
              ))}
          </Shell>
        </div>
      </QueryClientProvider>
    </LocationProvider>,
    { progressiveChunkSize: Number.POSITIVE_INFINITY },
  );
  const html = await new Response(prelude).text();
  // Else the timers that collect its garbage keep the build running.
  client.clear();
  return html;
}
