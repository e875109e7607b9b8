import { limits } from '@escucho/contracts';
import { useMemo } from 'react';
import Rows from '#shared/ui/virtual-list.tsx';
import type { LongList } from '../list-pages.ts';
import type { RowTools } from './article-row.tsx';
import { PagedRow } from './paged-row.tsx';

interface Props {
  list: LongList;
  total: number;
  onPlay: (index: number) => void;
  Tools: RowTools;
}

/** As high as a row is: with it every place in the list is known before its page is there. */
const rowHeight = (): number => 5 * Number.parseFloat(getComputedStyle(document.documentElement).fontSize);

/** A list of any length, of which only what is near the window is in the page, and a few pages of it in memory (CAT-09). */
export default function PagedList({ list, total, onPlay, Tools }: Props) {
  const items = useMemo(() => Array.from({ length: Math.min(total, limits.list.shown) }), [total]);
  return (
    <Rows items={items} total={total} itemSize={rowHeight()}>
      {(index) => <PagedRow list={list} index={index} onPlay={onPlay} Tools={Tools} />}
    </Rows>
  );
}
