declare module 'autocannon' {
  interface Request {
    path: string;
    method?: 'POST';
    headers: Record<string, string>;
    body?: string;
    /** Called before each time that the request is sent. */
    setupRequest?: (request: Request) => Request;
  }
  interface Client {
    setRequests: (requests: readonly Request[]) => void;
    on: (event: 'response', listener: (status: number, bytes: number, milliseconds: number) => void) => void;
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
