import { useT } from '#shared/i18n/i18n.ts';
import { OperatorDoors } from './operator-doors.tsx';
import { SocialDoors } from './social-doors.tsx';

/** The other ways to sign in (AUTH-01). */
export function OtherDoors() {
  const t = useT();
  return (
    <div className="mt-6 grid gap-5">
      <p className="flex items-center gap-3 text-sm text-muted before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
        {t('session.orWith')}
      </p>
      <SocialDoors />
      <OperatorDoors />
    </div>
  );
}
