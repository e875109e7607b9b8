import { ChallengeForm } from '#features/session/components/challenge-form.tsx';
import type { Challenge } from '#features/session/model/challenge.ts';
import { completeSignIn } from '#features/session/session.ts';
import { respondToChallenge } from '#features/session/sign-in.ts';
import { useT } from '#shared/i18n/i18n.ts';
import { AuthCard } from './auth-card.tsx';

interface Props {
  email: string;
  challenge: Challenge;
  /** Called with the challenge that follows an answer. */
  onChallenge: (challenge: Challenge) => void;
  onRestart: () => void;
}

/** The step of a sign-in after the password. The auth layout redirects once the user is signed in. */
export function SignInChallenge({ email, challenge, onChallenge, onRestart }: Props) {
  const t = useT();
  const answer = async (text: string) => {
    const next = await respondToChallenge(text);
    if (next === 'done')
      return completeSignIn().catch((error: unknown) => {
        // The identity client has no challenge any more that another code could answer.
        onRestart();
        throw error;
      });
    if (typeof next === 'string') throw new Error(next);
    onChallenge(next);
  };
  return (
    <AuthCard title={t('challenge.title')}>
      <ChallengeForm
        key={challenge.type}
        challenge={challenge}
        email={email}
        onAnswer={answer}
        onRestart={onRestart}
      />
    </AuthCard>
  );
}
