import { createHash } from 'node:crypto';

function hashAll(html: string, pattern: RegExp): string[] {
  const hash = (text = '') => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
  return [...new Set([...html.matchAll(pattern)].map(([, text]) => hash(text)))];
}

/**
 * Returns the CSP hash sources of the inline scripts and styles of documents.
 *
 * @throws for an inline style attribute or event handler, which no hash can allow
 */
export function getCspHashes(html: string): { scripts: string[]; styles: string[] } {
  if (/<[^>]+\s(?:style|on\w+)=/i.test(html.replace(/<(script|style)\b[\s\S]*?<\/\1>/gi, '')))
    throw new Error('A page has an inline style or event handler: the CSP would block it.');
  return {
    scripts: hashAll(html, /<script(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/gi),
    styles: hashAll(html, /<style[^>]*>([\s\S]*?)<\/style>/gi),
  };
}
