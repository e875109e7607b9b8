/** The page a list's query asks for; pages count from 1. */
export interface Pagination {
  page: number;
  limit: number;
}

/** A page in SQL's terms. */
export interface Window {
  limit: number;
  offset: number;
}

/** Returns a page's rows with the total number, which is counted where a page past the end has none. */
export async function withTotal<Row extends { total: number | null }>(
  rows: Row[],
  { offset }: Window,
  count: () => Promise<{ total: number }>,
): Promise<{ rows: Row[]; total: number }> {
  if (rows.length > 0 || offset === 0) return { rows, total: rows[0]?.total ?? 0 };
  return { rows, ...(await count()) };
}

export const toWindow = ({ page, limit }: Pagination): Window => ({ limit, offset: (page - 1) * limit });
