import { expect, type Locator, type Page } from '@playwright/test';

/** Whether what has the focus shows it: a ring or shadow of its own or around it, inside the window. Out: what is wrong, or nothing. */
export const focusFault = (page: Page) =>
  page.evaluate(() => {
    const focused = document.activeElement;
    if (!focused || focused === document.body) return 'nothing has the focus';
    const name = `${focused.tagName} ${focused.getAttribute('aria-label') ?? focused.textContent?.slice(0, 40)}`;
    const box = focused.getBoundingClientRect();
    const isSeen = box.width > 0 && box.height > 0 && box.bottom > 0 && box.top < innerHeight;
    if (!isSeen) return `${name} is out of sight`;
    const around = [focused, focused.parentElement, focused.parentElement?.parentElement];
    const isRinged = around.some((element) => {
      if (!element) return false;
      const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(element);
      return (
        (outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2) ||
        boxShadow.includes('0px 0px 0px 2px')
      );
    });
    return isRinged ? '' : `${name} has the focus and does not show it`;
  });

/** Goes by Tab until something has the focus; at every stop the focus is to be seen. */
export async function tabTo(page: Page, target: Locator, limit = 80): Promise<void> {
  await expect(target).toBeVisible();
  for (let presses = 0; presses < limit; presses += 1) {
    await page.keyboard.press('Tab');
    await expect.poll(() => focusFault(page)).toBe('');
    if (await target.evaluate((element) => element === document.activeElement)) return;
  }
  throw new Error(`Not reached by ${limit} Tabs: ${target}`);
}
