import { confirmAccountForm } from '@escucho/contracts';
import { useEffect } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { useT } from '#shared/i18n/i18n.ts';
import { paths, withQuery } from '#shared/paths.ts';
import { Button } from '#shared/ui/button.tsx';
import { useForm } from '#shared/use-form.ts';
import { confirmAccount, prepareIdentity } from '../identity.ts';
import { enter } from '../runner.ts';
import { CodeField } from './code-field.tsx';
import { EmailField } from './email-field.tsx';
import { ResendCode } from './resend-code.tsx';
import { useFailure } from './use-failure.ts';

/** The code that was sent (AUTH-05). Who signed up less than 3 minutes ago on this page is in at once (AUTH-04). */
export function ConfirmAccountForm() {
  const t = useT();
  const navigate = useNavigate();
  const [query] = useSearchParams();
  const { form, field, submit, busy, check, values } = useForm(confirmAccountForm, {
    email: query.get('email') ?? '',
    code: '',
  });
  const failed = useFailure('session.confirmFailed');
  useEffect(prepareIdentity, []);

  const send = submit(async (values) => {
    const { signedIn } = await confirmAccount(values);
    if (signedIn) return enter();
    const to = withQuery(paths.signIn, { email: values.email, returnTo: query.get('returnTo') ?? undefined });
    await navigate(to, { state: { word: 'confirmed' } });
  }, failed);

  return (
    <form ref={form} noValidate method="post" onSubmit={send} className="grid gap-4">
      <EmailField {...field('email')} />
      <CodeField {...field('code')} />
      <Button type="submit" look="solid" busy={busy} className="mt-1">
        {t('session.confirm')}
      </Button>
      <ResendCode email={() => (check('email') ? values.email : null)} />
    </form>
  );
}
