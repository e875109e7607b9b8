/** Time as it is handed in. */
export interface Clock {
  /** Milliseconds since 1970. */
  now: () => number;
  /** Resolves after so many milliseconds; rejects with the signal's reason when it is given up before. */
  wait: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
}
