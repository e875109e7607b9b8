/** `rejected`: the server will never accept it; `retryLater`: another attempt may succeed. */
export type SendResult = 'accepted' | 'rejected' | 'retryLater';

/** What became of the next entry: `settled`, `empty` if there is none, or `failed` if another attempt may succeed. */
type Outcome = 'settled' | 'empty' | 'failed';

const MIN_RETRY_DELAY_MS = 5_000;
const MAX_RETRY_DELAY_MS = 60_000;

/**
 * Creates a queue that sends entries one after another, when flushed and whenever the network is restored. A flush during
 * a running attempt is followed by another attempt, and so is a failed one after a while: the server may fail while the
 * network is there.
 * @param sendNext - sends the next entry
 */
export function createSendQueue<Send>(sendNext: (send: Send) => Promise<Outcome>) {
  let send: Send | null = null;
  let isSending = false;
  let isFlushRequested = false;
  let retryTimer: ReturnType<typeof setTimeout> | undefined;
  /** Failures in a row. */
  let failures = 0;

  /** Sends entries until one fails or none is left. */
  async function sendAll(): Promise<void> {
    let outcome: Outcome = 'settled';
    while (send && outcome === 'settled') {
      outcome = await sendNext(send);
      failures = outcome === 'failed' ? failures + 1 : 0;
    }
  }

  async function flush(): Promise<void> {
    isFlushRequested = true;
    if (isSending) return;
    isSending = true;
    clearTimeout(retryTimer);
    try {
      while (isFlushRequested) {
        isFlushRequested = false;
        await sendAll();
      }
    } finally {
      isSending = false;
    }
    if (send && failures > 0)
      retryTimer = setTimeout(flush, Math.min(MIN_RETRY_DELAY_MS * 2 ** (failures - 1), MAX_RETRY_DELAY_MS));
  }

  /**
   * Starts sending what is queued.
   * @returns a function that stops it
   */
  function start(nextSend: Send): () => void {
    send = nextSend;
    addEventListener('online', flush);
    void flush();
    return () => {
      send = null;
      clearTimeout(retryTimer);
      removeEventListener('online', flush);
    };
  }
  return { getSend: () => send, flush, start };
}
