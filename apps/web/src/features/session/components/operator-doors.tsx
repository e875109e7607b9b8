import { operatorNames, platforms } from '@escucho/contracts';
import { useT } from '#shared/i18n/i18n.ts';
import { Button } from '#shared/ui/button.tsx';
import { useConfig } from '#shared/use-config.ts';

/** Sign-in by a mobile operator (AUTH-01): a button to each one's subscription page; who is not set up is named as such. */
export function OperatorDoors() {
  const t = useT();
  const operators = useConfig()?.operators;
  const absent = operators
    ? platforms.filter((platform) => operators.every((operator) => operator.platform !== platform))
    : [];
  const open = platforms.filter((platform) => !absent.includes(platform));
  return (
    <fieldset>
      <legend className="mb-2.5 w-full text-center text-sm text-muted">{t('session.operators')}</legend>
      <div className="flex flex-wrap gap-2.5 empty:hidden">
        {open.map((platform) => {
          const page = operators?.find((operator) => operator.platform === platform)?.page;
          const operator = operatorNames[platform];
          return (
            <Button
              key={platform}
              aria-label={t('session.withOperator', { operator })}
              disabled={page === undefined}
              onClick={() => page !== undefined && location.assign(page)}
              className="grow basis-2/5 border border-line bg-transparent px-2 sm:basis-0"
            >
              {operator}
            </Button>
          );
        })}
      </div>
      {absent.length > 0 && (
        <p className="mt-2.5 text-center text-xs text-muted">
          {t('session.operatorsAbsent', {
            names: absent.map((platform) => operatorNames[platform]).join(', '),
          })}
        </p>
      )}
    </fieldset>
  );
}
