/**
 * Adds the styles of a lazily loaded component, imported with `?inline`. They are an adopted style sheet because the
 * content security policy forbids style elements.
 */
export function adoptStyles(styles: string): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(styles);
  document.adoptedStyleSheets.push(sheet);
}
