/** Creates a promise with the function that resolves it, as `Promise.withResolvers` does, which Node.js 20 lacks. */
export function createDeferred() {
  let resolve = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
