import { api, type ResponseBody, type Settings } from '@escucho/contracts';
import { type Query, queryOptions, replaceEqualDeep, useQuery, useQueryClient } from '@tanstack/react-query';
import { getUser, updateUser } from '#features/session/session.ts';
import { call } from '#shared/api/client.ts';
import { getT } from '#shared/i18n/i18n.ts';
import { toastWithUndo } from '#shared/ui/toast.tsx';
import { useSerialMutation } from '#shared/use-serial-mutation.ts';

/** The request for the user's names and choices. */
export const settingsRequest = () => [api.settings.findSettings, {}] as const;

/** Returns the present values of what a change sets. */
const pickChanged = (settings: Settings, change: Partial<Settings>): Partial<Settings> =>
  Object.fromEntries(Object.entries(settings).filter(([name]) => Object.hasOwn(change, name)));

/** Returns whether a response is one for the user of this tab: another one may have signed in in another tab since. */
const isCurrent = ({ user }: ResponseBody<typeof api.settings.changeSettings>): boolean =>
  user._id === getUser()?._id;

/** Queries the user's names and choices (SUB-07), and shows the names everywhere: another device may have changed them. */
export const settingsQuery = queryOptions({
  queryKey: ['settings'],
  queryFn: async ({ signal }) => {
    const response = await call(...settingsRequest(), { signal });
    const user = getUser();
    if (!user || !isCurrent(response)) return response;
    // The e-mail address is changed by other requests and may be newer than this response.
    const shown = replaceEqualDeep(user, { ...response.user, email: user.email });
    // A profile that is on its way is dropped where the user has changed since.
    if (shown !== user) updateUser(shown);
    return response;
  },
});

/** All queries but that of the settings. */
const otherQueries = { predicate: ({ queryKey }: Query) => queryKey[0] !== settingsQuery.queryKey[0] };

/** Changed settings; `isOnboarded`: the questions after sign-up were answered or skipped. */
type Change = Partial<Settings> & { isOnboarded?: true };

/** Returns the mutation that changes settings and shows the change at once. */
export function useSettingsMutation() {
  const client = useQueryClient();
  const { queryKey } = settingsQuery;
  return useSerialMutation({
    scope: 'settings',
    mutationFn: (change: Change) => call(api.settings.changeSettings, { body: change }),
    onMutate: ({ isOnboarded: _, ...change }) => {
      void client.cancelQueries(settingsQuery);
      client.setQueryData(queryKey, (now) => now && { ...now, settings: { ...now.settings, ...change } });
    },
    onSuccess: (response, change, isLast) => {
      if (!isCurrent(response)) return;
      if (isLast) client.setQueryData(queryKey, response);
      updateUser(response.user);
      // What Discover shows, and what is free in all lists (PLAY-04), depends on what the user learns.
      if ('level' in change || 'learningLanguage' in change) void client.invalidateQueries(otherQueries);
    },
    onQueueSettled: (hasFailed) => {
      if (!hasFailed) return;
      // The server may have made a change whose response was lost. Also where the user has left the settings since.
      void client.invalidateQueries({ queryKey, refetchType: 'all' });
      void client.invalidateQueries(otherQueries);
    },
  });
}

/** Returns the user's settings (SUB-07), and `save`, which shows a change at once and offers to undo it. */
export function useSettings() {
  const client = useQueryClient();
  const query = useQuery(settingsQuery);
  const { queryKey } = settingsQuery;
  const { mutate, mutateAsync } = useSettingsMutation();

  /**
   * Saves a change.
   *
   * @param onUndo - What else to undo with it.
   */
  const save = async (change: Partial<Settings>, onUndo: () => void = () => undefined): Promise<void> => {
    const before = client.getQueryData(queryKey)?.settings;
    const previous = before && pickChanged(before, change);
    try {
      if (!isCurrent(await mutateAsync(change))) return;
    } catch {
      // Shown as a toast already.
      return;
    }
    toastWithUndo(getT()('profile.saved'), () => {
      if (previous) mutate(previous);
      onUndo();
    });
  };
  return { query, save };
}
