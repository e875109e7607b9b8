import { startEmbedded } from '../start-embedded.ts';

/** Starts a database, prints one line of JSON, and runs until its standard input ends. */
async function main(dataDir: string): Promise<void> {
  try {
    const { connection, adopted, note } = await startEmbedded({ dataDir, durable: false });
    process.stdout.write(`${JSON.stringify({ connection, adopted, note })}\n`);
    process.stdin.resume().once('end', () => process.exit(0));
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    process.stdout.write(`${JSON.stringify({ code, message: String(error) })}\n`);
  }
}

await main(process.argv[2] ?? '');
