import { Shelves } from '#features/catalogue/components/shelves.tsx';
import { greetingOf } from '#features/catalogue/model/shelves.ts';
import { useHasContinueListening } from '#features/player/player.ts';
import { useSession } from '#features/session/session.ts';
import { useT } from '#shared/i18n/i18n.ts';
import { CardTools } from '../containers/card-tools.tsx';

/** Discover (CAT-02): a greeting, what was begun, and a row for each system playlist. */
export function DiscoverPage() {
  const t = useT();
  const { user } = useSession();
  const hasBegun = useHasContinueListening();
  const name = user?.firstName || user?.displayName || '';
  return (
    <>
      <h1 className="font-serif text-2xl font-semibold tracking-tight text-balance">
        {t(greetingOf(new Date().getHours()), { name })}
      </h1>
      <p className="mt-2 mb-8 text-muted">{t(hasBegun ? 'discover.leadAgain' : 'discover.lead')}</p>
      {user && <Shelves reader={user._id} Tools={CardTools} />}
    </>
  );
}
