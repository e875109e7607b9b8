import { EventEmitter, once } from 'node:events';
import { connect, createServer, type NetConnectOpts, type Socket } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { listenOnLoopback } from '@escucho/database/testing';
import { afterAll } from 'vitest';

/** A TCP proxy in front of a server, which simulates failures of the server and of the network to it. */
export interface TcpProxy {
  port: number;
  /** Connects to another address from now on, as the server restarted there. */
  setTarget: (target: NetConnectOpts) => void;
  /** Ends all connections and refuses new ones, as while the server is down. */
  refuse: () => void;
  /** Forwards nothing in either direction, without a sign of it, as while the network is cut. */
  cut: () => void;
  /** Forwards each chunk of data so many milliseconds late. */
  slow: (delayMs: number) => void;
  /** Forwards again; what was on its way during a cut arrives. */
  restore: () => void;
}

/** Starts a proxy on loopback, which is stopped after the file's tests. */
export async function startTcpProxy(firstTarget: NetConnectOpts): Promise<TcpProxy> {
  let target = firstTarget;
  let state: 'forwarding' | 'refusing' | 'cut' = 'forwarding';
  let delayMs = 0;
  const restored = new EventEmitter();
  restored.setMaxListeners(0);
  const sockets = new Set<Socket>();

  async function* hold(chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      if (delayMs > 0) await delay(delayMs);
      if (state === 'cut') await once(restored, 'restored');
      yield chunk;
    }
  }

  const server = createServer({ allowHalfOpen: true }, async (client) => {
    if (state === 'cut') await once(restored, 'restored');
    if (state === 'refusing') return client.destroy();
    const upstream = connect({ ...target, allowHalfOpen: true });
    const pair = [client, upstream];
    for (const socket of pair) {
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket));
    }
    const destroyBoth = () => {
      for (const socket of pair) socket.destroy();
    };
    client.on('error', destroyBoth);
    upstream.on('error', destroyBoth);
    await Promise.all([pipeline(client, hold, upstream), pipeline(upstream, hold, client)]).catch(
      destroyBoth,
    );
  });
  const destroyAll = () => {
    for (const socket of sockets) socket.destroy();
  };
  const port = await listenOnLoopback(server);
  afterAll(() => {
    destroyAll();
    restored.emit('restored');
  });
  return {
    port,
    setTarget: (next) => {
      target = next;
    },
    refuse: () => {
      state = 'refusing';
      destroyAll();
    },
    cut: () => {
      state = 'cut';
    },
    slow: (milliseconds) => {
      delayMs = milliseconds;
    },
    restore: () => {
      state = 'forwarding';
      delayMs = 0;
      restored.emit('restored');
    },
  };
}
