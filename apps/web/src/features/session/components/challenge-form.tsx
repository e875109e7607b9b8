import { codeForm } from '@escucho/contracts';
import { type ComponentProps, useState } from 'react';
import { type Field, type RejectField, useForm } from '#shared/form.tsx';
import { useT } from '#shared/i18n/i18n.ts';
import { Button } from '#shared/ui/button.tsx';
import { type Challenge, normalizeAppCode } from '../model/challenge.ts';
import { findIdentityErrorKey } from '../model/error-text.ts';
import { CodeField, toastAccountError } from './form-fields.tsx';
import { AuthenticatorKey } from './security/authenticator-key.tsx';

interface Props<Type extends Challenge['type'] = Challenge['type']> {
  challenge: Extract<Challenge, { type: Type }>;
  /** The e-mail address of the user who signs in. */
  email: string;
  /** Answers the challenge; rejects with the provider's error. */
  onAnswer: (answer: string) => Promise<void>;
  /** Begins the sign-in again. */
  onRestart: () => void;
}

/** The form that answers a challenge of the identity provider, at sign-in or in the dialog “Confirm it is you”. */
export function ChallengeForm({ challenge, ...rest }: Props) {
  const t = useT();
  return (
    <div className="grid gap-4">
      {challenge.type === 'totp' && <AppCodeForm challenge={challenge} {...rest} />}
      {challenge.type === 'setup' && <SetupForm challenge={challenge} {...rest} />}
      {challenge.type === 'email' && <EmailCodeForm challenge={challenge} {...rest} />}
      {challenge.type === 'selection' && <MethodSelection challenge={challenge} {...rest} />}
      <Button variant="ghost" onClick={rest.onRestart}>
        {t('challenge.restart')}
      </Button>
    </div>
  );
}

type CodeFormProps = Pick<Props, 'onAnswer' | 'onRestart'> & {
  /** What to do after a wrong code, shown at the field. */
  check: string;
  fieldProps?: Partial<ComponentProps<typeof Field>>;
};

/** The form for a code. It focuses its field, because it takes the place of the form before. */
function CodeForm({ check, fieldProps, onAnswer, onRestart }: CodeFormProps) {
  const t = useT();
  const { field, submit, busy } = useForm(codeForm, { code: '' }, { takesFocus: true });
  const handleError = (error: unknown, reject: RejectField) => {
    const key = findIdentityErrorKey(error);
    toastAccountError(error, reject, 'session.signInFailed');
    if (key === 'session.codeWrong') reject('code', check);
    if (key === 'session.codeExpired') reject('code', t('challenge.restartCode'));
    if (key === 'session.signInTimedOut') onRestart();
  };
  return (
    <form {...submit(({ code }) => onAnswer(normalizeAppCode(code)), handleError)} className="grid gap-4">
      <CodeField {...field('code')} {...fieldProps} />
      <Button type="submit" variant="solid" busy={busy}>
        {t('session.confirm')}
      </Button>
    </form>
  );
}

const Text = ({ children }: { children: string }) => (
  <p className="text-muted text-pretty wrap-anywhere">{children}</p>
);

/** The code of the authenticator app, or a recovery code in its place. */
function AppCodeForm(props: Props<'totp'>) {
  const t = useT();
  const [isRecovery, setRecovery] = useState(false);
  return (
    <>
      <Text>{t(isRecovery ? 'challenge.recoveryText' : 'challenge.appText')}</Text>
      <CodeForm
        key={String(isRecovery)}
        {...props}
        check={t(isRecovery ? 'challenge.checkRecoveryCode' : 'challenge.checkAppCode')}
        fieldProps={
          isRecovery
            ? { label: t('challenge.recoveryCode'), inputMode: 'text', autoComplete: 'off' }
            : { label: t('challenge.appCode') }
        }
      />
      <Button onClick={() => setRecovery(!isRecovery)}>
        {t(isRecovery ? 'challenge.useApp' : 'challenge.useRecoveryCode')}
      </Button>
    </>
  );
}

function SetupForm(props: Props<'setup'>) {
  const t = useT();
  return (
    <>
      <Text>{t('challenge.setupText')}</Text>
      <AuthenticatorKey secret={props.challenge.secret} account={props.email} />
      <CodeForm
        {...props}
        check={t('challenge.checkAppCode')}
        fieldProps={{ label: t('challenge.appCode') }}
      />
    </>
  );
}

function EmailCodeForm(props: Props<'email'>) {
  const t = useT();
  return (
    <>
      <Text>{t('challenge.emailText', { destination: props.challenge.destination || props.email })}</Text>
      <CodeForm {...props} check={t('challenge.checkEmailCode')} />
    </>
  );
}

function MethodSelection({ challenge, onAnswer }: Props<'selection'>) {
  const t = useT();
  const [pending, setPending] = useState<string | null>(null);
  const select = (answer: string) => {
    setPending(answer);
    onAnswer(answer)
      .catch((error: unknown) => toastAccountError(error, null, 'session.signInFailed'))
      .finally(() => setPending(null));
  };
  return (
    <>
      <Text>{t('challenge.selectText')}</Text>
      <div className="grid gap-2.5">
        {challenge.methods.map(({ type, answer }) => (
          <Button
            key={answer}
            busy={pending === answer}
            disabled={pending !== null && pending !== answer}
            onClick={() => select(answer)}
          >
            {t(`challenge.select_${type}`)}
          </Button>
        ))}
      </div>
    </>
  );
}
