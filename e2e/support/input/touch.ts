import type { Locator, Page } from '@playwright/test';

interface Point {
  x: number;
  y: number;
}

/** Scrolls an element into view and returns its center, in pixels of the viewport. */
export const getCenter = async (target: Locator): Promise<Point> => {
  await target.scrollIntoViewIfNeeded();
  const box = await target.boundingBox();
  if (!box) throw new Error(`Not on the screen: ${target}`);
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
};

const interpolate = (from: Point, to: Point): Point[] =>
  Array.from({ length: 8 }, (_, step) => ({
    x: from.x + ((to.x - from.x) * (step + 1)) / 8,
    y: from.y + ((to.y - from.y) * (step + 1)) / 8,
  }));

/** Creates a touch pointer. */
export async function createTouch(page: Page) {
  const session = await page.context().newCDPSession(page);
  const dispatch = (type: 'touchStart' | 'touchMove' | 'touchEnd', touchPoints: Point[]) =>
    session.send('Input.dispatchTouchEvent', { type, touchPoints });
  return {
    down: (at: Point) => dispatch('touchStart', [at]),
    move: (to: Point) => dispatch('touchMove', [to]),
    up: () => dispatch('touchEnd', []),
  };
}

/** Drags an element to the upper edge of another one, by touch or by mouse. */
export async function dragBefore(
  page: Page,
  handle: Locator,
  target: Locator,
  isTouch: boolean,
): Promise<void> {
  const from = await getCenter(handle);
  const { x, y } = await getCenter(target);
  const height = (await target.boundingBox())?.height ?? 0;
  const to = { x, y: y - height / 4 };
  if (!isTouch) {
    await page.mouse.move(from.x, from.y);
    await page.mouse.down();
    for (const point of interpolate(from, to)) await page.mouse.move(point.x, point.y);
    return page.mouse.up();
  }
  const touch = await createTouch(page);
  await touch.down(from);
  for (const point of interpolate(from, to)) await touch.move(point);
  await touch.up();
}
