import closeWithGrace from 'close-with-grace';
import { banner } from './banner.ts';
import { explained } from './faults.ts';
import { startProduct } from './product.ts';
import { readSettings } from './settings.ts';

try {
  const settings = readSettings(process.env);
  const product = await startProduct(settings);
  closeWithGrace({ delay: 10_000, logger: product.app.log }, async ({ err }) => {
    if (err) product.app.log.fatal({ err }, 'stopping after an error nobody caught');
    await product.stop();
  });
  console.log(banner(settings, product.notes));
} catch (error) {
  console.error(`\n  ${explained(error) ?? (error instanceof Error ? error.stack : String(error))}\n`);
  process.exit(1);
}
