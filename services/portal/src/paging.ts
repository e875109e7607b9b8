/** What a list's query says: pages count from 1. */
export interface Paging {
  page: number;
  limit: number;
}

/** A page as the database takes it: how many rows, after how many. */
export interface Window {
  limit: number;
  offset: number;
}

export const toWindow = ({ page, limit }: Paging): Window => ({ limit, offset: (page - 1) * limit });
