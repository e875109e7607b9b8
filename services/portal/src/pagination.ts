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

export const toWindow = ({ page, limit }: Pagination): Window => ({ limit, offset: (page - 1) * limit });
