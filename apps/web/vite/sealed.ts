import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Plugin } from 'vite';

const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/**
 * What a content-security policy must allow in a page besides 'self'. In: the page's HTML.
 * Out: hashes of its inline scripts and styles, as the policy writes them. Throws on what no hash can allow.
 */
export function hashesOf(html: string): { scripts: string[]; styles: string[] } {
  if (/<[^>]+\s(?:style|on\w+)=/i.test(html.replace(/<(script|style)\b[\s\S]*?<\/\1>/gi, '')))
    throw new Error('index.html has an inline style or event handler: the policy would refuse it.');
  const texts = (pattern: RegExp) => [...html.matchAll(pattern)].map((match) => hash(match[1] ?? ''));
  return {
    scripts: texts(/<script(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/gi),
    styles: texts(/<style[^>]*>([\s\S]*?)<\/style>/gi),
  };
}

/** When the build is written: dist/csp.json with the hashes that the server's policy needs. */
export function sealed(): Plugin {
  let directory = '';
  return {
    name: 'sealed',
    apply: 'build',
    configResolved(config) {
      directory = join(config.root, config.build.outDir);
    },
    async writeBundle() {
      const html = await readFile(join(directory, 'index.html'), 'utf8');
      await writeFile(join(directory, 'csp.json'), JSON.stringify(hashesOf(html), null, 2));
    },
  };
}
