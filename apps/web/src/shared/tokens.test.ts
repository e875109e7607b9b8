import { expect, it } from 'vitest';
import css from './tokens.css?raw';

/** WCAG 2.2: 4.5 for text, 3 for borders of fields and meaningful graphics. */
const rules: readonly { least: number; fronts: readonly string[]; grounds: readonly string[] }[] = [
  {
    least: 4.5,
    fronts: ['ink', 'muted', 'accent-text', 'danger', 'success'],
    grounds: ['ground', 'surface', 'raised', 'overlay', 'hover'],
  },
  { least: 4.5, fronts: ['on-accent'], grounds: ['accent', 'accent-strong'] },
  { least: 4.5, fronts: ['on-amber'], grounds: ['amber', 'coral'] },
  { least: 3, fronts: ['line-strong', 'accent'], grounds: ['ground', 'surface', 'raised', 'overlay'] },
];

const tokensOf = (theme: string) => {
  const block = new RegExp(`data-theme="${theme}"\\][^{]*\\{([^}]*)\\}`).exec(css)?.[1] ?? '';
  return new Map(
    [...block.matchAll(/--([\w-]+):\s*(#[0-9a-f]{6,8})\b/gi)].map((match) => [match[1], match[2] ?? '']),
  );
};

const channels = (hex: string) =>
  [1, 3, 5, 7].map((at) => (hex.length > at ? Number.parseInt(hex.slice(at, at + 2), 16) / 255 : 1));

/** Returns a translucent colour blended with its background. */
function blend(front: string, ground: string): number[] {
  const [top, below] = [channels(front), channels(ground)];
  const alpha = top[3] ?? 1;
  return [0, 1, 2].map((at) => (top[at] ?? 0) * alpha + (below[at] ?? 0) * (1 - alpha));
}

const luminance = (rgb: number[]) => {
  const [r = 0, g = 0, b = 0] = rgb.map((channel) =>
    channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4,
  );
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};

function contrast(front: number[], ground: number[]): number {
  const [light = 0, dark = 0] = [luminance(front), luminance(ground)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

const pairs = ['dark', 'light'].flatMap((theme) =>
  rules.flatMap(({ least, fronts, grounds }) =>
    fronts.flatMap((front) => grounds.map((ground) => ({ theme, front, ground, least }))),
  ),
);

it.each(pairs)(
  '$theme: $front on $ground has a contrast of at least $least',
  ({ theme, front, ground, least }) => {
    const tokens = tokensOf(theme);
    const [colour, under] = [tokens.get(front) ?? '', tokens.get(ground) ?? ''];
    expect([colour, under]).not.toContain('');
    expect(contrast(blend(colour, under), blend(under, under))).toBeGreaterThanOrEqual(least);
  },
);

it.each(['dark', 'light'])('%s: accent text has enough contrast on its soft background', (theme) => {
  const tokens = tokensOf(theme);
  for (const ground of ['ground', 'surface', 'raised', 'overlay']) {
    const soft = blend(tokens.get('accent-soft') ?? '', tokens.get(ground) ?? '');
    for (const front of ['accent-text', 'ink'])
      expect(
        contrast(blend(tokens.get(front) ?? '', '#000000'), soft),
        `${front} on ${ground}`,
      ).toBeGreaterThanOrEqual(4.5);
  }
});

it.each(['dark', 'light'])('%s: text over the full player’s picture has enough contrast on any', (theme) => {
  const tokens = tokensOf(theme);
  const block = css.slice(css.indexOf(`data-theme="${theme}"`));
  const opacity = Number(/--picture-opacity: ([\d.]+);/.exec(block)?.[1]);
  const [ground, muted, ink, accent] = ['ground', 'muted', 'ink', 'accent-text'].map((name) =>
    channels(tokens.get(name) ?? ''),
  );
  for (const picture of [0, 1]) {
    const below = (ground ?? []).slice(0, 3).map((channel) => picture * opacity + channel * (1 - opacity));
    for (const front of [muted, ink, accent])
      expect(contrast(front?.slice(0, 3) ?? [], below)).toBeGreaterThanOrEqual(4.5);
  }
});

it('both themes set the same colours', () => {
  const dark = [...tokensOf('dark').keys()].sort();
  expect(dark).toContain('ground');
  expect([...tokensOf('light').keys()].sort()).toEqual(dark);
});
