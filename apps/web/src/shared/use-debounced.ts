import { limits } from '@escucho/contracts';
import { useEffect, useState } from 'react';

/** Returns the value once it has not changed for as long as a search waits for the next key. */
export function useDebounced<Value>(value: Value): Value {
  const [debounced, setDebounced] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(value), limits.search.debounce);
    return () => clearTimeout(timer);
  }, [value]);
  return debounced;
}
