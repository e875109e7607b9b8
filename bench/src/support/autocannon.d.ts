declare module 'autocannon' {
  interface Asked {
    path: string;
    headers: Record<string, string>;
  }
  interface Client {
    setRequests: (requests: readonly Asked[]) => void;
    on: (event: 'response', heard: (status: number, bytes: number, milliseconds: number) => void) => void;
  }
  interface Options {
    url: string;
    connections: number;
    duration: number;
    /** Seconds. */
    timeout?: number;
    headers?: Record<string, string>;
    /** Called with each connection before its first request. */
    setupClient?: (client: Client) => void;
  }
  interface Result {
    requests: { average: number; total: number };
    latency: { p99: number };
    non2xx: number;
    errors: number;
  }
  export default function autocannon(options: Options): Promise<Result>;
}
