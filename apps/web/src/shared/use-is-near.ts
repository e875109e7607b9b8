import { type RefCallback, useCallback, useState } from 'react';

/**
 * Returns a ref, and whether its element has been within one height of the window: what is far down a page is rendered, and
 * what it needs is fetched, only for those who come near it. Not for links and buttons, which the Tab key would pass over.
 */
export function useIsNear(): [ref: RefCallback<Element>, isNear: boolean] {
  const [isNear, setNear] = useState(false);
  const ref = useCallback<RefCallback<Element>>((element) => {
    if (!element) return;
    const observer = new IntersectionObserver(
      (entries) => {
        if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
        setNear(true);
        observer.disconnect();
      },
      { rootMargin: '100% 0px' },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [ref, isNear];
}
