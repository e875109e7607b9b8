import { type ReactNode, useState } from 'react';
import { useSession } from '#features/session/session.ts';
import { useT } from '#shared/i18n/i18n.ts';
import { getInitials } from '#shared/initials.ts';
import { Skeleton } from '#shared/ui/skeleton.tsx';
import { ErrorState } from '#shared/ui/states.tsx';
import { useSettings } from '../use-settings.ts';
import { LearningChoices } from './learning-choices.tsx';
import { LookChoices } from './look-choices.tsx';
import { NamesForm } from './names-form.tsx';

const card = 'rounded-lg border border-line bg-surface p-5';

const Card = ({ title, hint, children }: { title: string; hint?: string; children: ReactNode }) => (
  <section className={card}>
    <h2 className="font-serif text-lg font-semibold tracking-tight">{title}</h2>
    {hint && <p className="mt-1 text-sm text-muted text-pretty">{hint}</p>}
    <div className="mt-2 divide-y divide-line">{children}</div>
  </section>
);

/** Who is meant: initials, name and address as other parts of the app show them. */
function Who() {
  const { user } = useSession();
  return (
    <div className="mb-5 flex items-center gap-4">
      <span
        aria-hidden
        className="avatar grid size-16 shrink-0 place-items-center rounded-full text-lg font-bold"
      >
        {getInitials(user?.displayName ?? '')}
      </span>
      <div className="min-w-0">
        <h2 className="font-serif text-lg font-semibold tracking-tight wrap-anywhere">{user?.displayName}</h2>
        <p className="text-sm text-muted wrap-anywhere">{user?.email}</p>
      </div>
    </div>
  );
}

/** Names, what the reader learns, how the app looks and speaks (SUB-07). */
export function Profile() {
  const t = useT();
  const { query, save } = useSettings();
  const { data, isError, isPaused, refetch } = query;
  // What was undone must stand in the fields again.
  const [undone, setUndone] = useState(0);
  if (!data && (isError || isPaused))
    return <ErrorState text={t('profile.failed')} onRetry={() => void refetch()} />;
  return (
    <div className="grid gap-6">
      <section className={card}>
        <Who />
        {data ? (
          <NamesForm
            key={undone}
            settings={data.settings}
            onSave={(change) => save(change, () => setUndone(undone + 1))}
          />
        ) : (
          <Skeleton className="h-24" />
        )}
      </section>
      {data && (
        <Card title={t('profile.learning')}>
          <LearningChoices settings={data.settings} onSave={save} />
        </Card>
      )}
      <Card title={t('profile.look')} hint={t('profile.lookHint')}>
        <LookChoices onSave={save} />
      </Card>
    </div>
  );
}
