import { join } from 'node:path';
import { build } from 'vite';

/** Bundles a source file into one script. */
export async function bundleScript(entry: string, constants: Record<string, string> = {}): Promise<string> {
  const define = { ...constants, 'process.env.NODE_ENV': '"production"' };
  const lib = { entry: join(import.meta.dirname, '..', entry), formats: ['iife' as const], name: 'bundle' };
  const options = { write: false, minify: true, lib };
  const built = await build({ configFile: false, logLevel: 'error', define, build: options });
  const [result] = Array.isArray(built) ? built : [built];
  const code = result && 'output' in result ? result.output[0].code : '';
  if (!code) throw new Error(`${entry} is empty.`);
  return code.trim();
}
