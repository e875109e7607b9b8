import { resolveWithin } from '@escucho/database';
import { endLog } from '@escucho/service-kit';
import closeWithGrace from 'close-with-grace';
import { demoAccounts } from './demo-accounts.ts';
import { startProduct } from './product.ts';
import { hasOutbox, hasSimulator } from './public-config.ts';
import { readSettings, type Settings } from './settings.ts';
import { describeStartError } from './start-errors.ts';

/** How long a process that stops waits for the collector of OpenTelemetry. */
const TELEMETRY_TIMEOUT_MS = 2000;
/** Signals that npm passes on: Ctrl+C reaches this process twice, once from the terminal. */
const forwardedSignals = ['SIGINT', 'SIGTERM'] as const;

/** Formats the text printed after the start: the URL, what demo mode adds to what this process serves, and notes. */
function formatBanner(settings: Settings, notes: readonly string[]): string {
  const { demo, externalIdentity, publicUrl, roles } = settings;
  const accounts = demoAccounts.map(({ email, password, subscribed }) => {
    const plan = subscribed ? 'with a subscription' : 'without one';
    return `    ${email.padEnd(20)} ${password}   ${plan}`;
  });
  const hasAccounts = demo && !externalIdentity && roles.includes('portal');
  const showsOutbox = hasOutbox(settings) && roles.includes('identity');
  const simulatesOperators = hasSimulator(settings) && roles.includes('portal');
  const lines = [
    `  Escucho is ready: ${publicUrl}`,
    ...(hasAccounts ? ['', ...accounts] : []),
    ...(showsOutbox ? ['', `  Outbox, instead of sent mail: ${publicUrl}/outbox`] : []),
    ...(simulatesOperators ? ['', `  Simulated mobile operators: ${publicUrl}/operators`] : []),
    ...notes.map((note) => `\n  ${note}`),
  ];
  return `\n${lines.join('\n')}\n`;
}

/** Sends traces and metrics if a collector is configured. Nothing of OpenTelemetry is loaded otherwise. */
async function startConfiguredTelemetry({ telemetryEndpoint }: Settings) {
  if (telemetryEndpoint === undefined) return undefined;
  const { startTelemetry } = await import('./telemetry.ts');
  return startTelemetry(telemetryEndpoint);
}

/** Ends a process that is not started yet. Its exit stops the embedded database, unlike the default action of a signal. */
const endStart = () => process.exit(0);

try {
  for (const signal of forwardedSignals) process.once(signal, endStart);
  const settings = readSettings(process.env);
  const stopTelemetry = await startConfiguredTelemetry(settings);
  const product = await startProduct(settings);
  const delay = 10_000 + settings.shutdownDelaySeconds * 1000;
  let isClosing = false;
  // What it reports itself goes to standard error: the process then exits without the end of the log.
  const { close } = closeWithGrace({ delay, skip: [...forwardedSignals] }, async ({ err }) => {
    isClosing = true;
    if (err) product.app.log.fatal({ err }, 'stopping after an uncaught error');
    await product.stop();
    // A collector that does not respond must not fail the stop.
    if (stopTelemetry) await resolveWithin(TELEMETRY_TIMEOUT_MS, stopTelemetry(), undefined);
    await endLog();
  });
  for (const signal of forwardedSignals)
    process.off(signal, endStart).on(signal, () => {
      if (!isClosing) close();
    });
  console.log(formatBanner(settings, product.notes));
} catch (error) {
  console.error(
    `\n  ${describeStartError(error) ?? (error instanceof Error ? error.stack : String(error))}\n`,
  );
  await endLog();
  process.exit(1);
}
