/** Creates a clock that only moves when it is advanced. */
export function createTestClock(start = '2026-11-20T10:00:00Z') {
  let now = new Date(start).getTime();
  return {
    now: () => new Date(now),
    seconds: () => now / 1000,
    advance(seconds: number) {
      now += seconds * 1000;
    },
  };
}

export type TestClock = ReturnType<typeof createTestClock>;
