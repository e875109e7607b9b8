/**
 * Returns a schema name that may stand in SQL without quotes.
 *
 * @throws Error for any other text
 */
export function assertSchemaName(name: string): string {
  if (/^[a-z_][a-z0-9_]{0,62}$/.test(name)) return name;
  throw new Error(`Not a schema name: ${name}`);
}
