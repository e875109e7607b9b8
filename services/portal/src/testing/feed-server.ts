import { createServer, type RequestListener } from 'node:http';
import { listenOnLoopback } from '@escucho/database/testing';
import { startImportTest } from './imports.ts';
import { readUniqueRecording } from './recordings.ts';

/** Responds with a body without an end. */
export const sendEndlessly: RequestListener = (_, response) => {
  const chunk = Buffer.alloc(1 << 20, 'a');
  const writeMore = () => {
    while (!response.destroyed && response.write(chunk));
    if (!response.destroyed) response.once('drain', writeMore);
  };
  writeMore();
};

/** Starts a portal and a server of feeds on this machine, and returns functions to import from it. */
export async function startFeedTest() {
  const importTest = await startImportTest();

  /** The server's responses by path. */
  const responses = new Map<string, RequestListener | Buffer | string>();
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(request.url ?? '');
    const content = responses.get(request.url ?? '');
    if (content === undefined) response.writeHead(404).end();
    else if (typeof content === 'function') content(request, response);
    else response.end(content);
  });
  const port = await listenOnLoopback(server);
  const toUrl = (path: string) => `http://127.0.0.1:${port}${path}`;

  /** Serves two different recordings and nothing else. */
  async function resetServer(): Promise<void> {
    await importTest.reset();
    responses.clear();
    requests.length = 0;
    for (const name of ['one', 'two']) responses.set(`/${name}.mp3`, await readUniqueRecording(name));
  }

  /** Imports a feed from the server, whose address is the only one that is allowed. */
  const importFeed = (options: Parameters<typeof importTest.runImport>[0] = {}) =>
    importTest.runImport({
      source: toUrl('/feed'),
      metadata: { level: 'B1' },
      addressPolicy: { isAllowed: (address) => address === '127.0.0.1' },
      ...options,
    });

  return { ...importTest, responses, requests, port, toUrl, resetServer, importFeed };
}
