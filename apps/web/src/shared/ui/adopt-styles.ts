/**
 * Styles of a part that comes late, so that no page waits for them: hand in a style sheet's text, imported with `?inline`.
 * They are adopted and not written into the page, which its security policy forbids.
 */
export function adoptStyles(styles: string): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(styles);
  document.adoptedStyleSheets.push(sheet);
}
