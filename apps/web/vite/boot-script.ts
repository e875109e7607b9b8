import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'vite';
import type { PreloadPlan } from '../src/boot/boot.ts';
import { buildPreloadPlan, findEntryFiles, type PreloadSources } from './preload-plan.ts';

async function bundleScript(plan: PreloadPlan): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: 'error',
    define: { PRELOAD_PLAN: JSON.stringify(plan) },
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
  const outputs = (Array.isArray(built) ? built : [built]).flatMap((result) =>
    'output' in result ? result.output : [],
  );
  const code = outputs.find((output) => output.type === 'chunk')?.code;
  if (!code) throw new Error('The boot script is empty.');
  return code.trim();
}

/** Tailwind's fallback for browsers without @property, which the build does not target. */
const propertyFallback = /@layer properties\{@supports[\s\S]*?\}\}\}(?=@layer )/;

/** Replaces without interpreting `$` in the replacement. */
const replaceLiteral = (html: string, pattern: string | RegExp, text: string) =>
  html.replace(pattern, () => text);

/**
 * Writes into index.html what the first paint needs: the styles inline, a preload of the interface font, and the boot
 * script, which preloads the code of the requested page and sends its first requests before any module runs.
 */
export function bootScript(sources: PreloadSources): Plugin {
  return {
    name: 'boot-script',
    enforce: 'post',
    transformIndexHtml: {
      order: 'post',
      async handler(html, { bundle }) {
        const emptyPlan = {
          pages: {},
          auth: { files: [], namespaces: [], calls: [] },
          messages: {},
          config: sources.config,
        };
        const script = `<script>${await bundleScript(bundle ? buildPreloadPlan(sources, bundle) : emptyPlan)}</script>`;
        if (!bundle) return replaceLiteral(html, '<!--boot-->', script);
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
          ...findEntryFiles(bundle).map((file) => `<link rel="modulepreload" href="/${file}">`),
        ];
        const stylesheetLink = new RegExp(`<link rel="stylesheet"[^>]*${styles.fileName}[^>]*>`);
        return replaceLiteral(
          replaceLiteral(
            html,
            stylesheetLink,
            `<style>${String(styles.source).replace(propertyFallback, '')}</style>`,
          ),
          '<!--boot-->',
          script + preloads.join(''),
        );
      },
    },
  };
}
