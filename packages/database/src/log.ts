/** The part of a pino logger that this package uses. */
export interface Log {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}

function createWriter(level: string) {
  return (details: object, message: string) => {
    process.stderr.write(`${JSON.stringify({ level, ...details, msg: message })}\n`);
  };
}

/** The default logger: warnings and errors on stderr. */
export const stderrLog: Log = { info: () => {}, warn: createWriter('warn'), error: createWriter('error') };
