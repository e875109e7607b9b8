declare module 'autocannon' {
  interface Asked {
    path: string;
    headers: Record<string, string>;
  }
  interface Options {
    url: string;
    connections: number;
    duration: number;
    /** Seconds. */
    timeout?: number;
    headers?: Record<string, string>;
    /** Called with each connection before its first request. */
    setupClient?: (client: { setRequests: (requests: readonly Asked[]) => void }) => void;
  }
  interface Result {
    requests: { average: number; total: number };
    latency: { p99: number; p50: number };
    non2xx: number;
    errors: number;
  }
  export default function autocannon(options: Options): Promise<Result>;
}
