/** The part of a pino logger this package uses. */
export interface Log {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}

function line(level: string) {
  return (details: object, message: string) => {
    process.stderr.write(`${JSON.stringify({ level, ...details, msg: message })}\n`);
  };
}

/** Used when no logger is handed in: silent but for warnings and errors, on stderr. */
export const stderrLog: Log = { info: () => {}, warn: line('warn'), error: line('error') };
