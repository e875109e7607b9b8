import type { Locator, Page } from '@playwright/test';
import { expect } from '../browser.ts';

/**
 * Checks that the focused element is inside the viewport and has a focus ring, on itself or on an element around it.
 *
 * @returns The problem, or an empty string.
 */
export const findFocusError = (page: Page) =>
  page.evaluate(() => {
    const focused = document.activeElement;
    if (!focused || focused === document.body) return 'no element has the focus';
    const name = `${focused.tagName} ${focused.getAttribute('aria-label') ?? focused.textContent?.slice(0, 40)}`;
    const box = focused.getBoundingClientRect();
    const isVisible = box.width > 0 && box.height > 0 && box.bottom > 0 && box.top < innerHeight;
    if (!isVisible) return `${name} is outside the viewport`;
    const candidates = [focused, focused.parentElement, focused.parentElement?.parentElement];
    const hasRing = candidates.some((element) => {
      if (!element) return false;
      const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(element);
      return (
        (outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2) ||
        boxShadow.includes('0px 0px 0px 2px')
      );
    });
    return hasRing ? '' : `${name} has the focus and no focus ring`;
  });

/** Presses Tab, or another key, until an element has the focus, and expects a visible focus at every stop. */
export async function tabTo(page: Page, target: Locator, { key = 'Tab', limit = 80 } = {}): Promise<void> {
  await expect(target).toBeVisible();
  for (let presses = 0; presses < limit; presses += 1) {
    await page.keyboard.press(key);
    await expect.poll(() => findFocusError(page)).toBe('');
    if (await target.evaluate((element) => element === document.activeElement)) return;
  }
  throw new Error(`Not reached by pressing ${key} ${limit} times: ${target}`);
}
