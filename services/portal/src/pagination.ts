/** The page that the query of a list asks for; pages count from 1. */
export interface Pagination {
  page: number;
  limit: number;
}

/** Returns how many rows are before a page. */
export const getOffset = ({ page, limit }: Pagination): number => (page - 1) * limit;

/** Returns a page's rows with the total number, which is counted where a page past the end has none. */
export async function withTotal<Row extends { total: number | null }>(
  rows: Row[],
  { page }: Pagination,
  count: () => Promise<{ total: number }>,
): Promise<{ rows: Row[]; total: number }> {
  if (rows.length > 0 || page === 1) return { rows, total: rows[0]?.total ?? 0 };
  return { rows, ...(await count()) };
}
