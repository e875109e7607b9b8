import { useEffect, useState } from 'react';

/** Counts down seconds. Out: the seconds that are left (0: ready), and a function that starts the count. */
export function useCoolDown(seconds: number): [number, () => void] {
  const [left, setLeft] = useState(0);
  const running = left > 0;
  useEffect(() => {
    if (!running) return;
    const timer = setInterval(() => setLeft((before) => before - 1), 1000);
    return () => clearInterval(timer);
  }, [running]);
  return [left, () => setLeft(seconds)];
}
