import * as z from 'zod/mini';
import type { TabPosition, TabSignal } from '../model/state.ts';

const signalSchema = z.enum(['begins', 'goesOn']);
const positionSchema = z.object({ id: z.string(), position: z.number().check(z.minimum(0)) });

/**
 * Connects this tab to the browser's other tabs with a player, over a broadcast channel: there is no lock that a closed
 * tab could hold.
 */
export function connectTabs(
  onSignal: (signal: TabSignal) => void,
  onPosition: (position: TabPosition) => void,
) {
  const channel = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel('escucho-player');
  channel?.addEventListener('message', ({ data }) => {
    const signal = signalSchema.safeParse(data);
    if (signal.success) onSignal(signal.data);
    const position = positionSchema.safeParse(data);
    if (position.success) onPosition(position.data);
  });
  return {
    post: (message: TabSignal | TabPosition): void => channel?.postMessage(message),
    close: (): void => channel?.close(),
  };
}
