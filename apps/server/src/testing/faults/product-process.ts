import closeWithGrace from 'close-with-grace';
import { startProduct } from '../../product.ts';
import { readSettings } from '../../settings.ts';

// Starts the product in a process of its own, so that a test can kill it. Argument: the directory of the content and the
// Stripe account with its address, as JSON. Prints a line once it is ready.
const { contentDirectory, stripe } = JSON.parse(process.argv[2] ?? '{}');
const settings = readSettings(process.env);
const product = await startProduct({ ...settings, stripe }, { contentDirectory });
closeWithGrace({ delay: 10_000 + settings.shutdownDelaySeconds * 1000 }, () => product.stop());
console.log('ready');
