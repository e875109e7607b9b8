import { DiscoverSections } from '#features/catalogue/components/discover-sections.tsx';
import { getGreetingKey } from '#features/catalogue/model/discover.ts';
import { TrackTools, useHasContinueListening } from '#features/player/player.ts';
import { useSession } from '#features/session/session.ts';
import { useT } from '#shared/i18n/i18n.ts';
import { CardTools } from '../containers/track-tools.tsx';

/** Discover (CAT-02): a greeting, continue listening, and a section for each system playlist. */
export function DiscoverPage() {
  const t = useT();
  const { user } = useSession();
  const hasListened = useHasContinueListening();
  const name = user?.firstName || user?.displayName || '';
  return (
    <>
      <h1 className="heading text-2xl text-balance">{t(getGreetingKey(new Date().getHours()), { name })}</h1>
      <p className="mt-2 mb-8 text-muted">{t(hasListened ? 'discover.leadAgain' : 'discover.lead')}</p>
      <TrackTools value={CardTools}>{user && <DiscoverSections userId={user._id} />}</TrackTools>
    </>
  );
}
