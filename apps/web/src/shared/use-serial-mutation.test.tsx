import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, renderHook, waitFor } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { useToasts } from './ui/toast.tsx';
import { useSerialMutation } from './use-serial-mutation.ts';

/** Renders two hooks of one scope with a function that settles each call by hand. */
function renderMutation() {
  const calls: { name: string; resolve: () => void; reject: (error: unknown) => void }[] = [];
  const shown: string[] = [];
  const onSuccess = vi.fn<(data: string, name: string, isLast: boolean) => void>();
  const onQueueSettled = vi.fn<(hasFailed: boolean) => void>();
  const client = new QueryClient();
  const options = {
    scope: 'test',
    mutationFn: (name: string) =>
      new Promise<string>((resolve, reject) =>
        calls.push({ name, resolve: () => resolve(`saved ${name}`), reject }),
      ),
    onMutate: (name: string) => shown.push(name),
    onSuccess,
    onQueueSettled,
  };
  const { result } = renderHook(
    () => ({ one: useSerialMutation(options), other: useSerialMutation(options) }),
    {
      wrapper: ({ children }) => <QueryClientProvider client={client}>{children}</QueryClientProvider>,
    },
  );
  const names = () => calls.map(({ name }) => name);
  const mutateWith =
    (hook: 'one' | 'other') =>
    (...changes: string[]) =>
      act(async () => {
        for (const change of changes) result.current[hook].mutate(change);
      });
  return {
    calls,
    mutate: mutateWith('one'),
    mutateOther: mutateWith('other'),
    names,
    onSuccess,
    onQueueSettled,
    shown,
  };
}

it('shows changes at once, sends them in order and settles the queue once', async () => {
  const { calls, mutate, names, onQueueSettled, shown } = renderMutation();
  await mutate('a', 'b');
  expect(shown).toEqual(['a', 'b']);
  expect(names()).toEqual(['a']);
  calls[0]?.resolve();
  await waitFor(() => expect(names()).toEqual(['a', 'b']));
  expect(onQueueSettled).not.toHaveBeenCalled();
  calls[1]?.resolve();
  await waitFor(() => expect(onQueueSettled.mock.calls).toEqual([[false]]));
});

it('tells a response that lacks a change still queued', async () => {
  const { calls, mutate, names, onSuccess } = renderMutation();
  await mutate('a', 'b');
  calls[0]?.resolve();
  await waitFor(() => expect(names()).toEqual(['a', 'b']));
  calls[1]?.resolve();
  await waitFor(() =>
    expect(onSuccess.mock.calls).toEqual([
      ['saved a', 'a', false],
      ['saved b', 'b', true],
    ]),
  );
});

it('shows one toast for a failed change, sends the next one and reports the failure once', async () => {
  const { calls, mutate, names, onQueueSettled } = renderMutation();
  await mutate('a', 'b');
  calls[0]?.reject(new Error('refused'));
  await waitFor(() => expect(names()).toEqual(['a', 'b']));
  calls[1]?.resolve();
  await waitFor(() => expect(onQueueSettled.mock.calls).toEqual([[true]]));
  expect(useToasts.getState().toasts).toHaveLength(1);
  await mutate('c');
  await waitFor(() => expect(calls).toHaveLength(3));
  calls[2]?.resolve();
  await waitFor(() => expect(onQueueSettled.mock.calls).toEqual([[true], [false]]));
});

it('reports the failure of a change of another component, once', async () => {
  const { calls, mutate, mutateOther, names, onQueueSettled } = renderMutation();
  await mutate('a');
  await mutateOther('b');
  calls[0]?.reject(new Error('refused'));
  await waitFor(() => expect(names()).toEqual(['a', 'b']));
  calls[1]?.resolve();
  await waitFor(() => expect(onQueueSettled.mock.calls).toEqual([[true]]));
  await mutate('c');
  await waitFor(() => expect(calls).toHaveLength(3));
  calls[2]?.resolve();
  await waitFor(() => expect(onQueueSettled.mock.calls).toEqual([[true], [false]]));
});
