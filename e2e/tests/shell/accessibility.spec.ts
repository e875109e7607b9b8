import type { Page } from '@playwright/test';
import axe from 'axe-core';
import { createTranslate, type Theme } from '../../support/app/messages.ts';
import { storageStates } from '../../support/app/users.ts';
import { isPhone } from '../../support/screens/screen.ts';
import { openScreen, screens, setPreferences } from '../../support/screens/screens.ts';
import { test } from '../../support/shared-context.ts';
import { expect } from '../../support/test.ts';

declare global {
  interface Window {
    axe: typeof axe;
  }
}

// Best practices beyond WCAG are checked too, except that menus over the page must be inside a landmark.
const allRules: axe.RunOnly = {
  type: 'tag',
  values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22a', 'wcag22aa', 'best-practice'],
};
// Only contrast depends on the theme.
const contrastRules: axe.RunOnly = { type: 'rule', values: ['color-contrast'] };

/**
 * Finds violations of rules in the dialog or menu that is open, or else in the whole page.
 *
 * What lies behind a dialog is checked without it, as a screen of its own.
 */
function findViolations(page: Page, runOnly: axe.RunOnly): Promise<axe.Result[]> {
  return page.evaluate(async (runOnly) => {
    const popup = [...document.querySelectorAll('dialog[open], [role=dialog], [role=menu]')].at(-1);
    const { violations } = await window.axe.run(popup ?? document, {
      runOnly,
      ...(runOnly.type === 'tag' && { rules: { region: { enabled: false } } }),
      // All rules run; only violations are reported with their elements, which halves the time.
      resultTypes: ['violations'],
    });
    // A target that the bars at the bottom cover in part is uncovered by scrolling.
    const barsTop = document.querySelector('.shell-foot')?.getBoundingClientRect().top ?? innerHeight;
    const isCoveredByBars = ({ target }: { target: unknown[] }) =>
      (document.querySelector(String(target[0]))?.getBoundingClientRect().bottom ?? 0) > barsTop;
    return violations
      .map((violation) =>
        violation.id === 'target-size'
          ? { ...violation, nodes: violation.nodes.filter((node) => !isCoveredByBars(node)) }
          : violation,
      )
      .filter(({ nodes }) => nodes.length > 0);
  }, runOnly);
}

/** Changes the theme of the page that is open, of the app and of pages that a service renders, without transitions. */
async function changeTheme(page: Page, theme: Theme): Promise<void> {
  await page.emulateMedia({ colorScheme: theme });
  await page.evaluate((value) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync('*, ::before, ::after { transition: none !important }');
    document.adoptedStyleSheets.push(sheet);
    if (document.documentElement.dataset.theme) document.documentElement.dataset.theme = value;
  }, theme);
}

for (const user of ['none', 'demo', 'free'] as const) {
  test.describe(user, () => {
    if (user !== 'none') test.use({ storageState: storageStates[user] });

    for (const screen of screens.filter((screen) => screen.user === user)) {
      const tag = screen.only ? [`@${screen.only}-only`] : [];
      test(`axe finds nothing: ${screen.name}`, { tag }, async ({ page, consoleErrors }) => {
        consoleErrors.allow(...(screen.allowedErrors ?? []));
        // Names and the length of texts depend on the language, sizes on the viewport, colors hardly on either.
        const language = isPhone(page) ? 'es' : 'en';
        const preferences = await setPreferences(page, isPhone(page) ? 'light' : 'dark', language);
        await openScreen(page, screen, createTranslate(language));
        // @axe-core/playwright would send and compile axe once for each check, which takes as long as the check. No screen has frames.
        await page.evaluate(axe.source);
        const violations = await findViolations(page, allRules);
        if (!isPhone(page)) {
          await changeTheme(page, 'light');
          violations.push(...(await findViolations(page, contrastRules)));
        }
        await preferences.dispose();
        const errors = violations.map(({ id, help, nodes }) => ({
          id,
          help,
          where: nodes.map(({ target, failureSummary }) => `${target} ${failureSummary}`),
        }));
        expect(errors).toEqual([]);
      });
    }
  });
}
