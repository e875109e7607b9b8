import { passwordForm } from '@escucho/contracts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useConfig } from '#shared/config.ts';
import { useWindowEvent } from '#shared/document.ts';
import { useForm } from '#shared/form.tsx';
import { useLanguage, useT } from '#shared/i18n/i18n.ts';
import { Button } from '#shared/ui/button.tsx';
import { Dialog } from '#shared/ui/dialog.tsx';
import { sessionsQuery } from '../../account.ts';
import type { Proof, ReauthenticationStep } from '../../amplify/reauthentication.ts';
import { findIdentityErrorKey } from '../../model/error-text.ts';
import { providers } from '../../model/oauth.ts';
import { redirectToProvider } from '../../oauth.ts';
import { startReauthentication } from '../../reauthentication.ts';
import { passkeysQuery, securityEventsQuery } from '../../security.ts';
import { signOut, useSession } from '../../session.ts';
import { supportsPasskeys } from '../../sign-in.ts';
import { getSignInMethod } from '../../tokens.ts';
import { ChallengeForm } from '../challenge-form.tsx';
import { PasswordField, toastAccountError } from '../form-fields.tsx';

interface Props {
  onConfirmed: () => void;
  onCancel: () => void;
}

/** Asks signed-in users to confirm who they are, by the way they sign in. */
export function ReauthenticationDialog({ onConfirmed, onCancel }: Props) {
  const t = useT();
  const { user } = useSession();
  if (!user) return null;
  const method = getSignInMethod(user);
  return (
    <Dialog title={t('reauthentication.title')} onClose={onCancel}>
      {method === 'operator' && <OperatorProof />}
      {method === 'password' && <OwnProof email={user.email ?? ''} onConfirmed={onConfirmed} />}
      {typeof method === 'object' && <ProviderProof provider={method.provider} />}
    </Dialog>
  );
}

/** The proofs of users who have a password: it, a passkey, or a mailed code; and what the provider asks for after it. */
function OwnProof({ email, onConfirmed }: { email: string; onConfirmed: () => void }) {
  const client = useQueryClient();
  const [step, setStep] = useState<Exclude<ReauthenticationStep, 'done'> | null>(null);
  const advance = async (next: Promise<ReauthenticationStep>) => {
    const reached = await next;
    if (reached !== 'done') return setStep(reached);
    onConfirmed();
    // The new session replaces that of this device.
    void client.invalidateQueries(sessionsQuery);
    void client.invalidateQueries(securityEventsQuery);
  };
  if (step)
    return (
      <ChallengeForm
        key={step.challenge.type}
        challenge={step.challenge}
        email={email}
        onAnswer={(answer) => advance(step.answer(answer))}
        onRestart={() => setStep(null)}
      />
    );
  return <ProofForm email={email} onStart={(proof) => advance(startReauthentication(email, proof))} />;
}

function ProofForm({ email, onStart }: { email: string; onStart: (proof: Proof) => Promise<void> }) {
  const t = useT();
  const identity = useConfig()?.identity;
  const passkeys = useQuery({
    ...passkeysQuery,
    enabled: identity?.passkeys === true && supportsPasskeys(),
  });
  const { field, submit, busy } = useForm(passwordForm, { password: '' }, { takesFocus: true });
  const [pending, setPending] = useState<Proof['type'] | null>(null);

  const form = submit(
    ({ password }) => onStart({ type: 'password', password }),
    (error, reject) =>
      findIdentityErrorKey(error) === 'session.wrongPassword'
        ? reject('password', t('reauthentication.checkPassword'))
        : toastAccountError(error, null, 'session.signInFailed'),
  );
  const isBusy = busy || pending !== null;
  const start = (type: 'passkey' | 'email') => {
    setPending(type);
    onStart({ type })
      .catch((error: unknown) => toastAccountError(error, null, 'session.signInFailed'))
      .finally(() => setPending(null));
  };

  return (
    <form {...form} className="grid gap-4">
      <p className="text-muted text-pretty">{t('reauthentication.text')}</p>
      {/* Password managers need the account that the password belongs to. */}
      <input hidden readOnly autoComplete="username" value={email} />
      <PasswordField label={t('session.password')} autoComplete="current-password" {...field('password')} />
      <Button type="submit" variant="solid" busy={busy} disabled={pending !== null}>
        {t('session.confirm')}
      </Button>
      <div className="flex flex-wrap gap-3 *:grow empty:hidden">
        {passkeys.data && passkeys.data.length > 0 && (
          <Button
            busy={pending === 'passkey'}
            disabled={isBusy && pending !== 'passkey'}
            onClick={() => start('passkey')}
          >
            {t('reauthentication.withPasskey')}
          </Button>
        )}
        {identity?.isEmbedded && (
          <Button
            busy={pending === 'email'}
            disabled={isBusy && pending !== 'email'}
            onClick={() => start('email')}
          >
            {t('reauthentication.withEmail')}
          </Button>
        )}
      </div>
    </form>
  );
}

/** Redirects to the provider, which asks to sign in again. The user repeats the action afterwards. */
function ProviderProof({ provider }: { provider: string }) {
  const t = useT();
  const lang = useLanguage();
  const [busy, setBusy] = useState(false);
  // The browser's back button may restore the page as it was when it redirected.
  useWindowEvent('pageshow', () => setBusy(false));
  const name = providers.find((known) => known === provider);
  const redirect = () => {
    if (!name) return;
    setBusy(true);
    redirectToProvider({ provider: name, lang, prompt: 'login' }, location.pathname).catch(
      (error: unknown) => {
        setBusy(false);
        toastAccountError(error, null, 'session.redirectFailed');
      },
    );
  };
  return (
    <div className="grid gap-4">
      <p className="text-muted text-pretty">{t('reauthentication.providerText', { provider })}</p>
      <Button variant="solid" busy={busy} onClick={redirect}>
        {t('reauthentication.withProvider', { provider })}
      </Button>
    </div>
  );
}

function OperatorProof() {
  const t = useT();
  return (
    <div className="grid gap-4">
      <p className="text-muted text-pretty">{t('reauthentication.operatorText')}</p>
      <Button onClick={signOut}>{t('account.signOutDevice')}</Button>
    </div>
  );
}
