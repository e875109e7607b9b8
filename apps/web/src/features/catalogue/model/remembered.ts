/** Where Discover as a reader last saw it is kept. */
export const rememberedKey = 'discover-storage';

/** The addresses of pictures live a day at least. */
const day = 24 * 60 * 60 * 1000;

/** Whether what is kept may still be shown. In: whose it is and when it was seen, the reader's id, now in milliseconds. */
export const isGood = (kept: { reader: string; at: number }, reader: string, now: number): boolean =>
  kept.reader === reader && now - kept.at < day;
