import { Profile } from '#features/profile/components/profile.tsx';
import { lazyComponent } from '#shared/lazy.ts';
import { LazySection } from '#shared/ui/lazy-boundary.tsx';
import { Skeleton } from '#shared/ui/states.tsx';

const Account = lazyComponent(
  async () => (await import('#features/session/components/account/account-sections.tsx')).AccountSections,
);

/** The profile and the account settings (SUB-07). */
export function ProfilePage() {
  return (
    <>
      <Profile />
      <LazySection fallback={<Skeleton className="mt-6 h-64" />}>
        <Account />
      </LazySection>
    </>
  );
}
