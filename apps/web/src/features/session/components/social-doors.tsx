import { useEffect, useState } from 'react';
import { useSearchParams } from 'react-router';
import { useLanguage, useT } from '#shared/i18n/i18n.ts';
import { Button } from '#shared/ui/button.tsx';
import { useConfig } from '#shared/use-config.ts';
import { hostedPagesOf, type Provider, providers } from '../model/redirect.ts';
import { leaveFor } from '../redirect.ts';
import facebook from './marks/facebook.svg';
import google from './marks/google.svg';
import { useFailure } from './use-failure.ts';

const looks = {
  Facebook: { label: 'session.withFacebook', mark: facebook },
  Google: { label: 'session.withGoogle', mark: google },
} as const;

/** Sign-in by Facebook and Google (AUTH-08); not there where the provider has no pages for it. */
export function SocialDoors() {
  const t = useT();
  const lang = useLanguage();
  const [query] = useSearchParams();
  const config = useConfig();
  const failed = useFailure('session.redirectFailed');
  const [leaving, setLeaving] = useState<Provider | null>(null);

  // Back from a provider by the browser's own button: the page may be as it was left.
  useEffect(() => {
    const cameBack = () => setLeaving(null);
    addEventListener('pageshow', cameBack);
    return () => removeEventListener('pageshow', cameBack);
  }, []);

  const leave = (provider: Provider) => () => {
    setLeaving(provider);
    leaveFor(provider, lang, query.get('returnTo') ?? undefined).catch((error: unknown) => {
      console.error('Sign-in by redirect failed', error);
      setLeaving(null);
      failed(error);
    });
  };

  if (config && !hostedPagesOf(config, location.origin)) return null;
  return (
    <div className="grid gap-2.5 sm:grid-cols-2">
      {providers.map((name) => (
        <Button
          key={name}
          aria-label={t(looks[name].label)}
          busy={leaving === name}
          disabled={!config || (leaving !== null && leaving !== name)}
          onClick={leave(name)}
        >
          <img src={looks[name].mark} alt="" className="size-5" />
          {name}
        </Button>
      ))}
    </div>
  );
}
