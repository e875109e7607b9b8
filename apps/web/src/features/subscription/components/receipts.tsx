import type { Plan, Receipt } from '@escucho/contracts';
import { useQuery } from '@tanstack/react-query';
import { useFormat, useLanguage, useT } from '#shared/i18n/i18n.ts';
import { Button } from '#shared/ui/button.tsx';
import { Skeleton } from '#shared/ui/skeleton.tsx';
import { priceText } from '../model/amounts.ts';
import { termsOf } from '../model/period-words.ts';
import { receiptsQuery } from '../queries.ts';

/** What was paid, newest first (SUB-07). */
export function Receipts({ userId, plans }: { userId: string; plans: readonly Plan[] }) {
  const t = useT();
  const language = useLanguage();
  const format = useFormat();
  const { data: receipts, isError, refetch } = useQuery(receiptsQuery(userId));
  const nameOf = ({ product, title }: Receipt['plan']) => {
    const plan = plans.find((each) => each.product === product);
    return plan ? termsOf(plan, language, t).plan : title;
  };
  return (
    <section aria-labelledby="receipts-title">
      <h2 id="receipts-title" className="font-serif text-lg font-semibold">
        {t('manage.receipts')}
      </h2>
      {!receipts && !isError && (
        <div aria-busy="true" className="mt-3">
          <Skeleton className="h-12" />
        </div>
      )}
      {!receipts && isError && (
        <div role="alert" className="mt-3 flex flex-wrap items-center gap-3 text-muted">
          {t('common.failedTitle')}
          <Button onClick={() => void refetch()}>{t('common.retry')}</Button>
        </div>
      )}
      {receipts?.length === 0 && <p className="mt-2 text-muted">{t('manage.noReceipts')}</p>}
      {receipts && receipts.length > 0 && (
        <ul className="mt-3 divide-y divide-line rounded-lg border border-line bg-surface px-5">
          {receipts.map(({ _id, paidAt, plan, paid, refunded }) => (
            <li
              key={_id}
              className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 py-4 text-sm"
            >
              <span className="text-muted">{format.date(paidAt)}</span>
              <span className="min-w-0 flex-1">{nameOf(plan)}</span>
              {refunded > 0 && (
                <span className="text-muted">
                  {t('manage.refunded', {
                    price: priceText({ amount: refunded, currency: paid.currency }, language),
                  })}
                </span>
              )}
              <span className="font-semibold">{priceText(paid, language)}</span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
