import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { JobCounts } from './queue.ts';

/** Records the jobs of one service. */
export interface JobMetrics {
  recordAttempt(job: string, outcome: 'success' | 'retry' | 'dead', seconds: number): void;
}

type CountSource = () => Promise<JobCounts>;
const countSources = new WeakMap<Registry, Map<string, CountSource>>();

/**
 * Registers the metrics of background jobs: `job_attempts_total`, `job_duration_seconds` and, read from the database at
 * each scrape, `jobs`. Services that share a registry share the metrics, distinguished by the label `service`.
 */
export function registerJobMetrics(registry: Registry, service: string, countJobs: CountSource): JobMetrics {
  const sources = countSources.get(registry) ?? new Map<string, CountSource>();
  countSources.set(registry, sources.set(service, countJobs));
  if (!registry.getSingleMetric('jobs')) {
    new Gauge({
      name: 'jobs',
      help: 'Background jobs in the database, by state',
      labelNames: ['service', 'state'],
      registers: [registry],
      async collect() {
        for (const [name, count] of sources) {
          for (const [state, value] of Object.entries(await count()))
            this.set({ service: name, state }, value);
        }
      },
    });
    new Counter({
      name: 'job_attempts_total',
      help: 'Attempts at background jobs, by outcome',
      labelNames: ['service', 'job', 'outcome'],
      registers: [registry],
    });
    new Histogram({
      name: 'job_duration_seconds',
      help: 'Time an attempt at a background job takes',
      labelNames: ['service', 'job'],
      buckets: [0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30],
      registers: [registry],
    });
  }
  const attempts = registry.getSingleMetric('job_attempts_total');
  const durations = registry.getSingleMetric('job_duration_seconds');
  return {
    recordAttempt(job, outcome, seconds) {
      if (attempts instanceof Counter) attempts.inc({ service, job, outcome });
      if (durations instanceof Histogram) durations.observe({ service, job }, seconds);
    },
  };
}
