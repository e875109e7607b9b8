import { LRUCache } from 'lru-cache';

/** Whether those who asked have all gone, so that nothing need be looked for any more. */
type Gone = () => boolean;

interface Flight<Value> {
  answer: Promise<Value | undefined>;
  askers: Gone[];
}

interface Options {
  /** Milliseconds for which an answer is kept; 0 for as long as it is being looked for. */
  keptFor: number;
  most: number;
  clock: () => Date;
}

/**
 * Answers that are the same for everybody: who asks while one is on its way, or soon after, is given the same. One that was
 * given up, which is undefined, or that failed is not kept.
 */
export function keptAnswers<Value>({ keptFor, most, clock }: Options) {
  const flights = new LRUCache<string, Flight<Value>>({
    max: most,
    ttl: keptFor,
    // Otherwise it would look at the time once in a millisecond of its own.
    ttlResolution: 0,
    perf: { now: () => clock().getTime() },
  });

  /** In: a name of what is asked for, whether the one who asks has gone, and how it is looked for. */
  return (name: string, isGone: Gone, look: (isGone: Gone) => Promise<Value | undefined>) => {
    const known = flights.get(name);
    if (known) {
      known.askers.push(isGone);
      return known.answer;
    }
    const askers = [isGone];
    const settled = async () => {
      const value = await look(() => askers.every((gone) => gone())).catch((error: unknown) => {
        drop();
        throw error;
      });
      // Nobody is asked whether they have gone any more.
      askers.length = 0;
      if (value === undefined || keptFor === 0) drop();
      return value;
    };
    const flight = { answer: settled(), askers };
    const drop = () => flights.peek(name) === flight && flights.delete(name);
    flights.set(name, flight);
    return flight.answer;
  };
}
