import { ArrowLeft } from 'lucide-react';
import { Link } from 'react-router';
import { AllBookmarks } from '#features/player/components/all-bookmarks.tsx';
import { useSession } from '#features/session/session.ts';
import { useT } from '#shared/i18n/i18n.ts';
import { paths } from '#shared/paths.ts';

/** All bookmarks and notes of the user, reached from the library. */
export function BookmarksPage() {
  const t = useT();
  const { subscription } = useSession();
  return (
    <>
      <Link
        to={paths.library}
        className="-mt-3 -ml-2 flex min-h-11 w-fit items-center gap-2 rounded-full px-2 text-sm text-muted hover:text-ink"
      >
        <ArrowLeft aria-hidden className="size-4" />
        {t('playlists.libraryTitle')}
      </Link>
      <h1 className="mb-6 font-serif text-2xl font-semibold tracking-tight">{t('bookmarks.title')}</h1>
      <AllBookmarks isSubscribed={subscription?.isActive ?? false} />
    </>
  );
}
