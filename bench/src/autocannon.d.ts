declare module 'autocannon' {
  interface Options {
    url: string;
    connections: number;
    duration: number;
    headers?: Record<string, string>;
    requests?: readonly { path: string; headers: Record<string, string> }[];
  }
  interface Result {
    requests: { average: number };
    latency: { p99: number; p50: number };
    non2xx: number;
    errors: number;
  }
  export default function autocannon(options: Options): Promise<Result>;
}
