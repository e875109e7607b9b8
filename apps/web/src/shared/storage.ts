import type { StateCreator } from 'zustand';
import { type PersistStorage, persist } from 'zustand/middleware';

/** Names of our own local stores (section 3). */
export type StoreName =
  | 'user-storage'
  | 'config-storage'
  | 'player-storage'
  | 'bookmarks-storage'
  | 'continue-listening-storage'
  | 'reading-storage'
  | 'notifications-storage'
  | 'search-storage';

// Where storage is blocked or full, the page goes on with what it remembers itself.
const memory = new Map<string, string>();

/** The text kept under a key, or null. Never throws. */
export function readStorage(key: string): string | null {
  // What was refused is newer than what is still kept.
  const refused = memory.get(key);
  if (refused !== undefined) return refused;
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** Keeps a text under a key; in memory only where the browser refuses. */
export function writeStorage(key: string, value: string): void {
  try {
    localStorage.setItem(key, value);
    memory.delete(key);
  } catch {
    memory.set(key, value);
  }
}

/** Forgets a key. */
export function removeFromStorage(key: string): void {
  memory.delete(key);
  try {
    localStorage.removeItem(key);
  } catch {
    // Blocked storage holds nothing of ours.
  }
}

/** Every key the browser keeps for this origin. */
export function getStorageKeys(): string[] {
  try {
    return [...new Set([...Object.keys(localStorage), ...memory.keys()])];
  } catch {
    return [...memory.keys()];
  }
}

/**
 * Hears changes made by other tabs. In: a listener, given the key (null: everything was cleared) and its new text.
 * Out: stops listening.
 */
export function onStorageChange(listener: (key: string | null, value: string | null) => void): () => void {
  const heard = (event: StorageEvent) => listener(event.key, event.newValue);
  addEventListener('storage', heard);
  return () => removeEventListener('storage', heard);
}

/** What a key holds as JSON; null when there is nothing or it is not JSON. */
export function readStorageJson(key: string): unknown {
  try {
    return JSON.parse(readStorage(key) ?? 'null');
  } catch {
    return null;
  }
}

const jsonStorage: PersistStorage<unknown, void> = {
  getItem: (name) => {
    const found = readStorageJson(name);
    if (typeof found !== 'object' || found === null || !('state' in found)) return null;
    const version = 'version' in found ? Number(found.version) || 0 : 0;
    return { state: found.state, version };
  },
  setItem: (name, value) => {
    if (value.state !== null) writeStorage(name, JSON.stringify(value));
  },
  removeItem: removeFromStorage,
};

interface PersistOptions<State, Kept> {
  name: StoreName;
  version: number;
  /** What of the state is kept; null: what is there already. */
  partialize: (state: State) => Kept;
  /** Makes something sound of whatever an older version, or a stranger, left there: only what is sound comes out. */
  parse: (stored: unknown) => Partial<State>;
}

/** A Zustand store that survives a reload. In: its name, version, what to keep and how to read it back; then the store. */
export function persistStore<State extends object, Kept extends object | null>(
  { name, version, partialize: keep, parse: read }: PersistOptions<State, Kept>,
  initializer: StateCreator<State, [], []>,
) {
  return persist<State, [], [], unknown>(initializer, {
    name,
    version,
    storage: jsonStorage,
    partialize: keep,
    migrate: (stored) => stored,
    merge: (stored, current) => ({ ...current, ...read(stored) }),
  });
}
