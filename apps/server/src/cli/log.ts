/** Logs warnings and errors of a command to standard error. */
export const log = {
  info() {},
  warn: (detail: object, message: string) => console.warn(message, detail),
  error: (detail: object, message: string) => console.error(message, detail),
};
