import { expect, it, vi } from 'vitest';
import {
  createPersistedStore,
  getStorageKeys,
  isUnstored,
  readStorage,
  readStorageJson,
  readTabStorageJson,
  removeFromStorage,
  writeStorage,
  writeTabStorage,
} from './storage.ts';

interface Counter {
  count: number;
  busy: boolean;
}

const counter = () =>
  createPersistedStore<Counter>({
    name: 'player-storage',
    version: 2,
    initial: { count: 0, busy: false },
    partialize: ({ count }) => ({ count }),
    parse: (stored) => {
      const count = Object(stored).count;
      return typeof count === 'number' ? { count } : {};
    },
  });

it('restores the persisted part of a store after a reload', () => {
  counter().setState({ count: 3, busy: true });
  expect(JSON.parse(readStorage('player-storage') ?? '')).toEqual({ state: { count: 3 }, version: 2 });
  expect(counter().getState()).toEqual({ count: 3, busy: false });
});

it.each([
  ['garbage', '{{{'],
  ['another type', '"text"'],
  ['no state', '{"version":2}'],
  ['an invalid state', '{"state":{"count":"many"},"version":2}'],
  ['null', 'null'],
])('uses the initial state if it finds %s', (_title, text) => {
  writeStorage('player-storage', text);
  expect(counter().getState().count).toBe(0);
});

it.each([[1], [3]])('restores the valid part of version %d', (version) => {
  writeStorage('player-storage', JSON.stringify({ state: { count: 5, old: true }, version }));
  expect(counter().getState()).toEqual({ count: 5, busy: false });
});

it('full storage: reads the last write, and stores it once there is room', () => {
  writeStorage('key', 'old');
  const full = vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('full', 'QuotaExceededError');
  });
  writeStorage('key', 'new');
  expect([readStorage('key'), localStorage.getItem('key')]).toEqual(['new', 'old']);
  expect(isUnstored('key')).toBe(true);
  full.mockRestore();
  writeStorage('key', 'newer');
  expect([readStorage('key'), localStorage.getItem('key')]).toEqual(['newer', 'newer']);
  expect(isUnstored('key')).toBe(false);
  removeFromStorage('key');
});

it('blocked storage: keeps values in memory', () => {
  for (const name of ['getItem', 'setItem', 'removeItem'] as const)
    vi.spyOn(Storage.prototype, name).mockImplementation(() => {
      throw new DOMException('blocked', 'SecurityError');
    });
  writeStorage('key', '1');
  expect([readStorage('key'), readStorageJson('key'), getStorageKeys()]).toEqual(['1', 1, ['key']]);
  removeFromStorage('key');
  expect(readStorage('key')).toBeNull();
});

it.each([['QuotaExceededError'], ['SecurityError']])(
  'storage of the tab: a refused write (%s) is ignored',
  (name) => {
    writeTabStorage('key', '1');
    vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
      throw new DOMException('refused', name);
    });
    writeTabStorage('key', '2');
    expect([readTabStorageJson('key'), readTabStorageJson('other')]).toEqual([1, null]);
  },
);
