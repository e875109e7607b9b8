/** Creates a promise with the function that resolves it, as `Promise.withResolvers` does, which Node.js 20 lacks. */
export function createDeferred<Value = void>() {
  let resolve: (value: Value) => void = () => undefined;
  const promise = new Promise<Value>((resolvePromise) => {
    resolve = resolvePromise;
  });
  return { promise, resolve };
}
