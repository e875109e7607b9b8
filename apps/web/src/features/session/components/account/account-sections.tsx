import { accountDoor } from '#features/session/model/account-door.ts';
import { useSession } from '#features/session/session.ts';
import { idToken } from '#features/session/tokens.ts';
import { useConfig } from '#shared/use-config.ts';
import { DataSection } from './data-section.tsx';
import { DevicesSection } from './devices-section.tsx';
import { SignInSection } from './sign-in-section.tsx';

/** What a reader can do about their own account: how they sign in, where they are, what is kept of them (SHELL-03). */
export function AccountSections() {
  const { user } = useSession();
  const config = useConfig();
  if (!user) return null;
  const door = accountDoor(user.isExternal, idToken());
  return (
    <>
      <SignInSection door={door} email={user.email} />
      {door !== 'operator' && config?.identity.listsSessions && <DevicesSection />}
      <DataSection email={user.email} />
    </>
  );
}
