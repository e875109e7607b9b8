const EVERY = 1000;

type Work = () => Promise<void>;

interface Deps {
  report: (detail: object, message: string) => void;
}

/**
 * Does several kinds of work once a second, each kind once at a time, and a kind at once when callStripe. Any number of
 * processes may do so: the work holds what it works on.
 */
export function createScheduler<Kind extends string>({ report }: Deps) {
  const going = new Map<string, Promise<void>>();
  const wanted = new Set<string>();
  let works: Partial<Record<string, Work>> = {};
  let timer: NodeJS.Timeout | undefined;

  function begin(kind: string): void {
    const work = works[kind];
    if (!work) return;
    if (going.has(kind)) {
      wanted.add(kind);
      return;
    }
    const run = work()
      .catch((error: unknown) =>
        report(
          { kind, reason: error instanceof Error ? error.message : String(error) },
          'billing round failed',
        ),
      )
      .finally(() => {
        going.delete(kind);
        if (wanted.delete(kind)) begin(kind);
      });
    going.set(kind, run);
  }

  return {
    start(all: Record<Kind, Work>): void {
      works = all;
      timer = setInterval(() => Object.keys(works).forEach(begin), EVERY);
      timer.unref();
    },

    /** As soon as what goes on of the kind is over. */
    soon: (kind: Kind) => begin(kind),

    /** Begins nothing more. Resolves when what goes on is over. */
    async stop(): Promise<void> {
      works = {};
      clearInterval(timer);
      await Promise.all(going.values());
    },
  };
}
