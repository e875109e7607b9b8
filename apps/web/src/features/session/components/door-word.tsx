import { CircleCheck, Info } from 'lucide-react';
import { useLocation } from 'react-router';
import * as z from 'zod/mini';
import { useT } from '#shared/i18n/i18n.ts';

const handed = z.object({ word: z.enum(['confirmed', 'passwordSaved', 'confirmFirst']) });

/** A friendly word that the page before has handed over, e.g. that the account is confirmed now. */
export function DoorWord() {
  const t = useT();
  const { data } = handed.safeParse(useLocation().state);
  if (!data) return null;
  const Icon = data.word === 'confirmFirst' ? Info : CircleCheck;
  return (
    <p role="status" className="mb-5 flex gap-3 rounded-md bg-accent-soft px-4 py-3 text-sm">
      <Icon aria-hidden className="size-5 shrink-0 text-accent-text" />
      {t(`session.${data.word}`)}
    </p>
  );
}
