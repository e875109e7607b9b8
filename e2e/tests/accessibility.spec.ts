import AxeBuilder from '@axe-core/playwright';
import { signedIn } from '../support/readers.ts';
import { choose, screens, show } from '../support/screens/screens.ts';
import { expect, test } from '../support/story.ts';
import { wordsOf } from '../support/words.ts';

// Best practice is more than the standard asks; one of its rules wants menus that float over the page inside a landmark.
const standard = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22a', 'wcag22aa', 'best-practice'];

// Each theme and each language once: contrast is the theme's, names and words are the language's. On a phone, one look.
for (const [theme, language] of [
  ['dark', 'en'],
  ['light', 'es'],
] as const) {
  for (const reader of ['nobody', 'demo', 'free'] as const) {
    test.describe(`${theme} ${language}, ${reader}`, { tag: theme === 'dark' ? '@desktop-only' : [] }, () => {
      // Half-faded things have half their contrast: movement rests.
      test.use({ contextOptions: { reducedMotion: 'reduce' } });
      if (reader !== 'nobody') test.use({ storageState: signedIn[reader] });

      for (const screen of screens.filter((one) => one.reader === reader)) {
        const tag = screen.only ? [`@${screen.only}-only`] : [];
        test(`axe finds nothing: ${screen.name}`, { tag }, async ({ page, noise }) => {
          noise.allow(...(screen.complaints ?? []));
          await choose(page, theme, language);
          await show(page, screen, wordsOf(language));
          const { violations } = await new AxeBuilder({ page })
            .withTags(standard)
            .disableRules('region')
            .setLegacyMode()
            .analyze();
          const found = violations.map(({ id, help, nodes }) => ({
            id,
            help,
            where: nodes.map(({ target, failureSummary }) => `${target} ${failureSummary}`),
          }));
          expect(found).toEqual([]);
        });
      }
    });
  }
}
