import type { Page } from '@playwright/test';
import axe from 'axe-core';
import { createTranslate } from '../../support/app/messages.ts';
import { storageStates } from '../../support/app/users.ts';
import { openScreen, screens, setPreferences } from '../../support/screens/screens.ts';
import { test } from '../../support/shared-context.ts';
import { expect } from '../../support/test.ts';

declare global {
  interface Window {
    axe: typeof axe;
  }
}

// Best practices beyond WCAG are checked too, except that menus over the page must be inside a landmark.
const axeTags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22a', 'wcag22aa', 'best-practice'];

// @axe-core/playwright would send and compile axe twice for each screen, which takes as long as the check. No screen has frames.
async function findViolations(page: Page): Promise<axe.Result[]> {
  await page.evaluate(axe.source);
  return page.evaluate(async (values) => {
    const { violations } = await window.axe.run({
      runOnly: { type: 'tag', values },
      rules: { region: { enabled: false } },
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
  }, axeTags);
}

// Contrast depends on the theme, names and texts on the language; each is checked once. Phones check one combination.
for (const [theme, language] of [
  ['dark', 'en'],
  ['light', 'es'],
] as const) {
  for (const user of ['none', 'demo', 'free'] as const) {
    test.describe(`${theme} ${language}, ${user}`, { tag: theme === 'dark' ? '@desktop-only' : [] }, () => {
      // A fading element has less contrast.
      test.use({ contextOptions: { reducedMotion: 'reduce' } });
      if (user !== 'none') test.use({ storageState: storageStates[user] });

      for (const screen of screens.filter((screen) => screen.user === user)) {
        const tag = screen.only ? [`@${screen.only}-only`] : [];
        test(`axe finds nothing: ${screen.name}`, { tag }, async ({ page, consoleErrors }) => {
          consoleErrors.allow(...(screen.allowedErrors ?? []));
          const preferences = await setPreferences(page, theme, language);
          await openScreen(page, screen, createTranslate(language));
          const violations = await findViolations(page);
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
}
