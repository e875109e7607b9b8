/**
 * Tells the server what waits, one thing after another: when it is asked to and whenever the network is back. What is asked
 * while a try is under way is not lost: another follows it. In: sends the next thing; says whether there may be more.
 */
export function createSendQueue<Sender>(sendNext: (sender: Sender) => Promise<boolean>) {
  let sender: Sender | null = null;
  let isSending = false;
  let isAsked = false;

  async function send(): Promise<void> {
    isAsked = true;
    if (isSending) return;
    isSending = true;
    try {
      while (isAsked) {
        isAsked = false;
        while (sender && (await sendNext(sender)));
      }
    } finally {
      isSending = false;
    }
  }

  /** Says how it is sent, and sends what waits. Out: sends no more. */
  function sendBy(next: Sender): () => void {
    sender = next;
    addEventListener('online', send);
    void send();
    return () => {
      sender = null;
      removeEventListener('online', send);
    };
  }
  return { sender: () => sender, send, sendBy };
}
