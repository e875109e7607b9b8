import { AllBookmarks } from '#features/player/components/all-bookmarks.tsx';
import { useSession } from '#features/session/session.ts';
import { useT } from '#shared/i18n/i18n.ts';
import { paths } from '#shared/paths.ts';
import { BackLink } from '#shared/ui/back-link.tsx';

/** All bookmarks and notes of the user, reached from the library. */
export function BookmarksPage() {
  const t = useT();
  const { subscription } = useSession();
  return (
    <>
      <BackLink to={paths.library}>{t('playlists.libraryTitle')}</BackLink>
      <h1 className="mb-6 heading text-2xl">{t('bookmarks.title')}</h1>
      <AllBookmarks isSubscribed={subscription?.isActive ?? false} />
    </>
  );
}
