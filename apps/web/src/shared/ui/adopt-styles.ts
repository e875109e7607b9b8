/**
 * Adds styles, such as those of a lazily loaded component, imported with `?inline`. They are an adopted style sheet because
 * the content security policy forbids style elements.
 */
export function adoptStyles(styles: string): void {
  // Prerendered documents show no such component.
  if (typeof document === 'undefined') return;
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(styles);
  document.adoptedStyleSheets.push(sheet);
}
