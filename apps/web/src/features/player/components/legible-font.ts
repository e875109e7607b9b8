import atkinson from '@fontsource-variable/atkinson-hyperlegible-next/files/atkinson-hyperlegible-next-latin-wght-normal.woff2';

export const LEGIBLE_FONT_FAMILY = 'Atkinson Hyperlegible Next';

/** Fetches the letters that are easy to tell apart. Rejects when they do not come; the text then stays as it was. */
export async function loadLegibleFont(): Promise<void> {
  const face = new FontFace(LEGIBLE_FONT_FAMILY, `url(${atkinson})`, { weight: '200 800' });
  document.fonts.add(await face.load());
}
