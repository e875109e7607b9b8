import { useT } from '../../../shared/i18n/i18n.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { toast } from '../../../shared/ui/toast.ts';
import facebook from './marks/facebook.svg';
import google from './marks/google.svg';

const providers = [
  { name: 'Facebook', label: 'session.withFacebook', mark: facebook },
  { name: 'Google', label: 'session.withGoogle', mark: google },
] as const;
const operators = ['Bitel', 'Entel', 'CNT', 'Antel'] as const;

/** The other ways to sign in (AUTH-01). They open in a later release, and say so. */
export function OtherDoors() {
  const t = useT();
  const notYet = (name: string) => () => toast(t('session.notYet', { name }), 'message', 'bottom-center');
  return (
    <div className="mt-6 grid gap-5">
      <p className="flex items-center gap-3 text-sm text-muted before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
        {t('session.orWith')}
      </p>
      <div className="grid gap-2.5 sm:grid-cols-2">
        {providers.map(({ name, label, mark }) => (
          <Button key={name} aria-label={t(label)} onClick={notYet(name)}>
            <img src={mark} alt="" className="size-5" />
            {name}
          </Button>
        ))}
      </div>
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
