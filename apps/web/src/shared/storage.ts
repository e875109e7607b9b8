import { create } from 'zustand';
import { type PersistStorage, persist } from 'zustand/middleware';

/** The names of the persisted stores (section 3). */
export type StoreName =
  | 'user-storage'
  | 'config-storage'
  | 'player-storage'
  | 'bookmarks-storage'
  | 'continue-listening-storage'
  | 'reading-storage'
  | 'notifications-storage'
  | 'search-storage';

// Values that could not be stored because storage is blocked or full.
const memory = new Map<string, string>();

/** Returns the value of a key, or null. Never throws. */
export function readStorage(key: string): string | null {
  // A value that could not be stored is newer than the stored one.
  const unstored = memory.get(key);
  if (unstored !== undefined) return unstored;
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** Stores a value, or keeps it in memory if the browser refuses. */
export function writeStorage(key: string, value: string): void {
  try {
    localStorage.setItem(key, value);
    memory.delete(key);
  } catch {
    memory.set(key, value);
  }
}

/** Returns whether the browser refused to store the value of a key: it is lost when the page is closed or reloaded. */
export const isUnstored = (key: string): boolean => memory.has(key);

/** Removes a key. */
export function removeFromStorage(key: string): void {
  memory.delete(key);
  try {
    localStorage.removeItem(key);
  } catch {
    // Blocked storage has no data of the app.
  }
}

/** Returns all keys of this origin. */
export function getStorageKeys(): string[] {
  try {
    return [...new Set([...Object.keys(localStorage), ...memory.keys()])];
  } catch {
    return [...memory.keys()];
  }
}

/**
 * Subscribes to changes by other tabs; the returned function unsubscribes.
 *
 * @param listener gets the key, null if everything was cleared
 */
export function onStorageChange(listener: (key: string | null) => void): () => void {
  const onStorage = ({ key }: StorageEvent) => listener(key);
  addEventListener('storage', onStorage);
  return () => removeEventListener('storage', onStorage);
}

/** Returns the parsed value of a key; null if there is none or it is not JSON. */
export function readStorageJson(key: string): unknown {
  try {
    return JSON.parse(readStorage(key) ?? 'null');
  } catch {
    return null;
  }
}

/** Returns the parsed value of a key of this tab, which it keeps when it is reloaded; null if there is none. */
export function readTabStorageJson(key: string): unknown {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? 'null');
  } catch {
    return null;
  }
}

/** Stores a value for this tab, unless the browser refuses. */
export function writeTabStorage(key: string, value: string): void {
  try {
    sessionStorage.setItem(key, value);
  } catch {
    // Blocked or full.
  }
}

const jsonStorage: PersistStorage<unknown, void> = {
  getItem: (name) => {
    const { state } = Object(readStorageJson(name));
    return state === undefined ? null : { state };
  },
  setItem: (name, value) => {
    if (value.state !== null) writeStorage(name, JSON.stringify(value));
  },
  removeItem: removeFromStorage,
};

interface PersistedStoreOptions<State> {
  name: StoreName;
  version: number;
  initial: State;
  /** Returns the part of the state to store, by default all of it; null leaves the stored state unchanged. */
  partialize?: (state: State) => object | null;
  /** Returns the valid part of a stored state, which may be of any version or shape. */
  parse: (stored: unknown) => Partial<State>;
  /** Whether several tabs change parts of the state: it is read again before each change. */
  isShared?: boolean;
}

/** Creates a Zustand store that is persisted in localStorage. */
export const createPersistedStore = <State extends object>({
  initial,
  partialize = (state) => state,
  parse,
  isShared,
  ...options
}: PersistedStoreOptions<State>) =>
  create<State>()(
    persist<State, [], [], unknown>(
      (_set, _get, api) => {
        const { setState } = api;
        if (isShared)
          api.setState = (change: Parameters<typeof setState>[0]) => {
            void api.persist.rehydrate();
            setState(change);
          };
        return initial;
      },
      {
        ...options,
        storage: jsonStorage,
        partialize,
        merge: (stored, current) => ({ ...current, ...parse(stored) }),
      },
    ),
  );
