import atkinson from '@fontsource-variable/atkinson-hyperlegible-next/files/atkinson-hyperlegible-next-latin-wght-normal.woff2';

export const clearFamily = 'Atkinson Hyperlegible Next';

/** Fetches the letters that are easy to tell apart. Rejects when they do not come; the text then stays as it was. */
export async function loadClearFace(): Promise<void> {
  const face = new FontFace(clearFamily, `url(${atkinson})`, { weight: '200 800' });
  document.fonts.add(await face.load());
}
