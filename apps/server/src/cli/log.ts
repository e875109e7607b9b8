/** What a command says on the way: warnings and faults, on the error stream. */
export const log = {
  info() {},
  warn: (detail: object, message: string) => console.warn(message, detail),
  error: (detail: object, message: string) => console.error(message, detail),
};
