import { useT } from '../../../shared/i18n/i18n.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { toast } from '../../../shared/ui/toast.ts';
import { SocialDoors } from './social-doors.tsx';

const operators = ['Bitel', 'Entel', 'CNT', 'Antel'] as const;

/** The other ways to sign in (AUTH-01). The operators' open in a later release, and say so. */
export function OtherDoors() {
  const t = useT();
  const notYet = (name: string) => () => toast(t('session.notYet', { name }), 'message', 'bottom-center');
  return (
    <div className="mt-6 grid gap-5">
      <p className="flex items-center gap-3 text-sm text-muted before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
        {t('session.orWith')}
      </p>
      <SocialDoors />
      <fieldset>
        <legend className="mb-2.5 w-full text-center text-sm text-muted">{t('session.operators')}</legend>
        <div className="grid grid-cols-2 gap-2.5 sm:grid-cols-4">
          {operators.map((name) => (
            <Button
              key={name}
              aria-label={t('session.withOperator', { operator: name })}
              onClick={notYet(name)}
              className="border border-line bg-transparent px-2"
            >
              {name}
            </Button>
          ))}
        </div>
      </fieldset>
    </div>
  );
}
