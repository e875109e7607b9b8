const reasons = ['EACCES', 'EPERM', 'ENOENT', 'EISDIR', 'EIO', 'ELOOP'];

/** Why a file cannot be read, where that is the file's own fault and not this machine's; undefined for every other error. */
export function unreadable(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return reasons.includes(code) ? `cannot be read (${code})` : undefined;
}
