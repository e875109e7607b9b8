import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'vite';
import type { Plan } from '../src/boot/plan.ts';
import { entryFiles, type Pages, planOf } from './plan-of.ts';

/** The boot script as one small text. */
async function bootScript(plan: Plan): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: 'error',
    define: { PLAN: JSON.stringify(plan) },
    build: {
      write: false,
      minify: true,
      lib: {
        entry: fileURLToPath(new URL('../src/boot/main.ts', import.meta.url)),
        formats: ['iife'],
        name: 'boot',
      },
    },
  });
  const outputs = (Array.isArray(built) ? built : [built]).flatMap((one) =>
    'output' in one ? one.output : [],
  );
  const code = outputs.find((one) => one.type === 'chunk')?.code;
  if (!code) throw new Error('The boot script came out empty.');
  return code.trim();
}

/** Tailwind's fallback for browsers without @property, which are older than those the build is made for. */
const forOldBrowsers = /@layer properties\{@supports[\s\S]*?\}\}\}(?=@layer )/;

/** Puts a text where a pattern is, whatever `$` the text holds. */
const put = (html: string, where: string | RegExp, text: string) => html.replace(where, () => text);

/**
 * A fast first paint: the styles inline, the interface's font preloaded, and the boot script, which preloads the
 * code of the page being opened and begins its first calls before any module runs.
 */
export function instant(pages: Pages): Plugin {
  return {
    name: 'instant',
    enforce: 'post',
    transformIndexHtml: {
      order: 'post',
      async handler(html, { bundle }) {
        const nothing = {
          pages: {},
          auth: { files: [], words: [], calls: [] },
          words: {},
          config: pages.config,
        };
        const script = `<script>${await bootScript(bundle ? planOf(pages, bundle) : nothing)}</script>`;
        if (!bundle) return put(html, '<!--boot-->', script);
        const files = Object.values(bundle);
        const styles = files.find(
          (file) =>
            file.type === 'asset' &&
            html.includes(`href="/${file.fileName}"`) &&
            file.fileName.endsWith('.css'),
        );
        const font = files.find((file) => /figtree-latin-wght-normal.*\.woff2$/.test(file.fileName));
        if (styles?.type !== 'asset' || !font)
          throw new Error('The styles or the font are not in the bundle.');
        const preloads = [
          `<link rel="preload" as="font" type="font/woff2" href="/${font.fileName}" crossorigin>`,
          ...entryFiles(bundle).map((file) => `<link rel="modulepreload" href="/${file}">`),
        ];
        const linked = new RegExp(`<link rel="stylesheet"[^>]*${styles.fileName}[^>]*>`);
        return put(
          put(html, linked, `<style>${String(styles.source).replace(forOldBrowsers, '')}</style>`),
          '<!--boot-->',
          script + preloads.join(''),
        );
      },
    },
  };
}
