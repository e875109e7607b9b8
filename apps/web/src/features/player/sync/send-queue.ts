/** `rejected`: the server will never accept it; `retryLater`: another attempt may succeed. */
export type SendResult = 'accepted' | 'rejected' | 'retryLater';

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

/** Creates a random UUID (version 4). `crypto.randomUUID` does not exist on pages that are served without HTTPS. */
export function createUuid(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  // RFC 9562: byte 6 holds the version, byte 8 the variant.
  const withVersion = bytes.map((byte, index) =>
    index === 6 ? (byte & 0x0f) | 0x40 : index === 8 ? (byte & 0x3f) | 0x80 : byte,
  );
  const hex = Array.from(withVersion, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
