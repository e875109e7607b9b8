/**
 * Goes round every so many milliseconds, one round at a time, without keeping the process alive. Out: how to stop, once
 * the round that goes on is over.
 */
export function keepGoing(
  round: () => Promise<void>,
  every: number,
  failed: (error: Error) => void,
): () => Promise<void> {
  let going: Promise<void> | undefined;
  const timer = setInterval(() => {
    going ??= round()
      .catch(failed)
      .finally(() => {
        going = undefined;
      });
  }, every);
  timer.unref();
  return async () => {
    clearInterval(timer);
    await going;
  };
}
