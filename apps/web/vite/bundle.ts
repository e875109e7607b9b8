import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const toPath = (entry: string) => fileURLToPath(new URL(`../${entry}`, import.meta.url));

/** Bundles a source file into one script. */
export async function bundleScript(entry: string, define: Record<string, string> = {}): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: 'error',
    define: { ...define, 'process.env.NODE_ENV': '"production"' },
    build: { write: false, minify: true, lib: { entry: toPath(entry), formats: ['iife'], name: 'bundle' } },
  });
  const [result] = Array.isArray(built) ? built : [built];
  const code = result && 'output' in result ? result.output[0].code : '';
  if (!code) throw new Error(`${entry} is empty.`);
  return code.trim();
}
