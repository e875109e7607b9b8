import {
  type Mutation,
  type MutationFunction,
  MutationObserver,
  type MutationObserverOptions,
  useMutation,
  useMutationState,
  useQueryClient,
} from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { toastError } from './ui/toast.tsx';

export interface SerialMutationOptions<Data, Variables> {
  /** Mutations of one scope run one after another, so that the server sees them in their order. */
  scope: string;
  mutationFn: MutationFunction<Data, Variables>;
  /** Applies the change optimistically. */
  onMutate?: (variables: Variables) => void;
  /** `isLast`: no other mutation of the scope is queued; the response would lack its change. */
  onSuccess?: (data: Data, variables: Variables, isLast: boolean) => void;
  onError?: (variables: Variables) => void;
  /**
   * Called once the last mutation of the scope has settled. Lists are refetched here: an earlier response would lack the
   * changes that are still queued.
   */
  onQueueSettled?: (hasFailed: boolean) => void;
}

/** The scopes of which a mutation has failed since their queue was empty. Components share scopes. */
const failedScopes = new Set<string>();

/** Returns the filter that finds the pending mutations of a scope. */
export const serialMutationFilter = (scope: string) => ({ mutationKey: ['serial', scope] });

/** Returns the changes of a scope that the server has neither confirmed nor refused yet, in their order. */
export const usePendingChanges = <Variables>(scope: string): Variables[] =>
  useMutationState({
    filters: { ...serialMutationFilter(scope), status: 'pending' },
    select: ({ state }: Mutation<unknown, Error, Variables>) =>
      state.variables === undefined ? [] : [state.variables],
  }).flat();

/**
 * Runs optimistic mutations one after another. A failed one shows a toast, and the next ones still run. An undo may outlast
 * what it was offered for: `mutate` is of the scope that it was returned for.
 */
export function useSerialMutation<Data, Variables>({
  scope,
  mutationFn,
  onMutate,
  onSuccess,
  onError,
  onQueueSettled,
}: SerialMutationOptions<Data, Variables>) {
  const client = useQueryClient();
  const isLast = () => client.isMutating(serialMutationFilter(scope)) <= 1;
  const options: MutationObserverOptions<Data, Error, Variables, void> = {
    ...serialMutationFilter(scope),
    scope: { id: scope },
    // Without a network a change fails at once, as every call does, instead of being paused.
    networkMode: 'always',
    mutationFn,
    onMutate: (variables) => onMutate?.(variables),
    onSuccess: (data, variables) => onSuccess?.(data, variables, isLast()),
    onError: (error, variables) => {
      failedScopes.add(scope);
      toastError(error);
      onError?.(variables);
    },
    onSettled: () => {
      if (!isLast()) return;
      const hasFailed = failedScopes.delete(scope);
      onQueueSettled?.(hasFailed);
    },
  };
  const latestScope = useRef(scope);
  useEffect(() => {
    latestScope.current = scope;
  }, [scope]);
  const mutation = useMutation(options);
  const mutate = (variables: Variables): void => {
    if (scope === latestScope.current) mutation.mutate(variables);
    else void new MutationObserver(client, options).mutate(variables).catch(() => undefined);
  };
  return { ...mutation, mutate };
}
