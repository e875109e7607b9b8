import type { Locator, Page } from '@playwright/test';

interface Point {
  x: number;
  y: number;
}

/** The middle of something, once it stands still in the window. */
export const middleOf = async (target: Locator): Promise<Point> => {
  await target.scrollIntoViewIfNeeded();
  const box = await target.boundingBox();
  if (!box) throw new Error(`Not on the screen: ${target}`);
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
};

/** The way between two points in small steps, as a hand goes. */
const way = (from: Point, to: Point): Point[] =>
  Array.from({ length: 8 }, (_, step) => ({
    x: from.x + ((to.x - from.x) * (step + 1)) / 8,
    y: from.y + ((to.y - from.y) * (step + 1)) / 8,
  }));

/** A finger on the screen. */
export async function fingerOn(page: Page) {
  const devtools = await page.context().newCDPSession(page);
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', touchPoints: Point[]) =>
    devtools.send('Input.dispatchTouchEvent', { type, touchPoints });
  return {
    down: (at: Point) => touch('touchStart', [at]),
    move: (to: Point) => touch('touchMove', [to]),
    up: () => touch('touchEnd', []),
  };
}

/** Drags something onto the upper edge of something else, by finger or by mouse. */
export async function dragBefore(
  page: Page,
  handle: Locator,
  target: Locator,
  isTouch: boolean,
): Promise<void> {
  const from = await middleOf(handle);
  const { x, y } = await middleOf(target);
  const height = (await target.boundingBox())?.height ?? 0;
  const to = { x, y: y - height / 4 };
  if (!isTouch) {
    await page.mouse.move(from.x, from.y);
    await page.mouse.down();
    for (const point of way(from, to)) await page.mouse.move(point.x, point.y);
    return page.mouse.up();
  }
  const finger = await fingerOn(page);
  await finger.down(from);
  for (const point of way(from, to)) await finger.move(point);
  await finger.up();
}
