/**
 * Creates a queue that sends entries one after another, when flushed and whenever the network is restored. A flush during
 * a running attempt is followed by another attempt.
 * @param sendNext - sends the next entry; resolves to whether there may be more
 */
export function createSendQueue<Send>(sendNext: (send: Send) => Promise<boolean>) {
  let send: Send | null = null;
  let isSending = false;
  let isFlushRequested = false;

  async function flush(): Promise<void> {
    isFlushRequested = true;
    if (isSending) return;
    isSending = true;
    try {
      while (isFlushRequested) {
        isFlushRequested = false;
        while (send && (await sendNext(send)));
      }
    } finally {
      isSending = false;
    }
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
      removeEventListener('online', flush);
    };
  }
  return { getSend: () => send, flush, start };
}
