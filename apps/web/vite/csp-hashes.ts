import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Plugin } from 'vite';

const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/**
 * Returns the CSP hash sources of a page's inline scripts and styles.
 *
 * @throws when the page has inline style attributes or event handlers, which no hash can allow
 */
export function getCspHashes(html: string): { scripts: string[]; styles: string[] } {
  if (/<[^>]+\s(?:style|on\w+)=/i.test(html.replace(/<(script|style)\b[\s\S]*?<\/\1>/gi, '')))
    throw new Error('index.html has an inline style or event handler: the CSP would block it.');
  const hashAll = (pattern: RegExp) => [...html.matchAll(pattern)].map((match) => hash(match[1] ?? ''));
  return {
    scripts: hashAll(/<script(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/gi),
    styles: hashAll(/<style[^>]*>([\s\S]*?)<\/style>/gi),
  };
}

/** Writes dist/csp.json, the hashes for the server's content security policy. */
export function cspHashes(): Plugin {
  let directory = '';
  return {
    name: 'csp-hashes',
    apply: 'build',
    configResolved(config) {
      directory = join(config.root, config.build.outDir);
    },
    async writeBundle() {
      const html = await readFile(join(directory, 'index.html'), 'utf8');
      await writeFile(join(directory, 'csp.json'), JSON.stringify(getCspHashes(html), null, 2));
    },
  };
}
