import { api, type Settings } from '@escucho/contracts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '#shared/api/client.ts';
import { currentT } from '#shared/i18n/i18n.ts';
import { toast } from '#shared/ui/toast.ts';
import { useTelling } from '#shared/use-telling.ts';
import { userChanged } from '../session/session.ts';
import { settingsQuery } from './queries.ts';

/** What a change would have to be to lead back. */
const wayBack = (settings: Settings, change: Partial<Settings>): Partial<Settings> =>
  Object.fromEntries(Object.entries(settings).filter(([name]) => Object.hasOwn(change, name)));

/**
 * The reader's settings (SUB-07). Out: their query, and `save`: a change is shown at once, told one after another, said,
 * and can be undone. In: the change, and what else is to be done when it is undone.
 */
export function useSettings() {
  const client = useQueryClient();
  const query = useQuery(settingsQuery);
  const { queryKey } = settingsQuery;
  const tellOne = useTelling((hasFailed) => void (hasFailed && client.invalidateQueries(settingsQuery)));

  const tell = (change: Partial<Settings>): Promise<boolean> => {
    void client.cancelQueries(settingsQuery);
    client.setQueryData(queryKey, (now) => now && { ...now, settings: { ...now.settings, ...change } });
    return tellOne(async () => {
      const answer = await call(api.settings.changeSettings, { body: change });
      client.setQueryData(queryKey, answer);
      userChanged(answer.user);
    });
  };

  const save = async (change: Partial<Settings>, undone: () => void = () => undefined): Promise<void> => {
    const before = client.getQueryData(queryKey)?.settings;
    const back = before && wayBack(before, change);
    if (!(await tell(change))) return;
    const t = currentT();
    const run = () => {
      if (back) void tell(back);
      undone();
    };
    toast(t('profile.saved'), 'success', 'top-right', { label: t('common.undo'), run });
  };
  return { query, save };
}
