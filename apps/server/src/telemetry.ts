import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { SpanProcessor } from '@opentelemetry/sdk-trace-node';
import type { FastifyInstance } from 'fastify';
import { getProductVersion, getWorkspaceDirectory } from './storage.ts';

/** Attributes that contain the query of a URL, which may hold signatures and codes. */
const urlAttributes = ['url.full', 'url.query', 'http.url', 'http.target'];

/** Paths of probes, which would be most of the traces. */
const isProbe = (url = '') => url.startsWith('/health') || url.startsWith('/metrics');

/** Removes queries from the URLs of spans before they are exported. */
const queryRemover: SpanProcessor = {
  onStart(span) {
    for (const name of urlAttributes) {
      const value = span.attributes[name];
      if (typeof value === 'string')
        span.setAttribute(name, name === 'url.query' ? '' : (value.split('?')[0] ?? ''));
    }
  },
  onEnd() {},
  forceFlush: async () => {},
  shutdown: async () => {},
};

/**
 * Sends traces and metrics of this process to a collector of OpenTelemetry, by OTLP over HTTP with JSON. Loads the SDK,
 * which reads its other settings from the environment variables OTEL_….
 *
 * @param endpoint - the URL of the collector, without `/v1/traces`
 * @returns the function that sends what is left, and stops
 */
export async function startTelemetry(endpoint: string): Promise<() => Promise<void>> {
  const [api, { NodeTracerProvider, BatchSpanProcessor }, metrics, resources] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/sdk-trace-node'),
    import('@opentelemetry/sdk-metrics'),
    import('@opentelemetry/resources'),
  ]);
  const [{ OTLPTraceExporter }, { OTLPMetricExporter }, { registerInstrumentations }] = await Promise.all([
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/exporter-metrics-otlp-http'),
    import('@opentelemetry/instrumentation'),
  ]);
  const [{ HttpInstrumentation }, { PgInstrumentation }, { UndiciInstrumentation }] = await Promise.all([
    import('@opentelemetry/instrumentation-http'),
    import('@opentelemetry/instrumentation-pg'),
    import('@opentelemetry/instrumentation-undici'),
  ]);

  const resource = resources
    .defaultResource()
    .merge(
      resources.resourceFromAttributes({ 'service.name': 'escucho', 'service.version': getProductVersion() }),
    )
    .merge(resources.detectResources({ detectors: [resources.envDetector] }));
  const exporter = new OTLPTraceExporter({ url: `${endpoint}/v1/traces` });
  const tracerProvider = new NodeTracerProvider({
    resource,
    spanProcessors: [queryRemover, new BatchSpanProcessor(exporter)],
  });
  tracerProvider.register();
  const reader = new metrics.PeriodicExportingMetricReader({
    exporter: new OTLPMetricExporter({ url: `${endpoint}/v1/metrics` }),
  });
  const meterProvider = new metrics.MeterProvider({ resource, readers: [reader] });
  api.metrics.setGlobalMeterProvider(meterProvider);
  registerInstrumentations({
    tracerProvider,
    meterProvider,
    instrumentations: [
      new HttpInstrumentation({ ignoreIncomingRequestHook: ({ url }) => isProbe(url) }),
      // Statements come without their parameters. Polling for jobs is not traced.
      new PgInstrumentation({ requireParentSpan: true, ignoreConnectSpans: true }),
      new UndiciInstrumentation(),
    ],
  });
  // Modules are instrumented when they are required, which imports do not; they patch prototypes that imports share.
  const require = createRequire(join(getWorkspaceDirectory('@escucho/database'), 'package.json'));
  for (const name of ['node:http', 'node:https', 'pg']) require(name);
  return async () => {
    await Promise.all([tracerProvider.shutdown(), meterProvider.shutdown()]);
  };
}

/** Names the spans of requests by their route instead of their URL, which contains ids. */
export async function registerTelemetry(app: FastifyInstance): Promise<void> {
  const { context } = await import('@opentelemetry/api');
  const { getRPCMetadata } = await import('@opentelemetry/core');
  app.addHook('onRequest', async (request) => {
    const metadata = getRPCMetadata(context.active());
    if (metadata && request.routeOptions.url !== undefined) metadata.route = request.routeOptions.url;
  });
}
