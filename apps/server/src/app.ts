import type { Connection } from '@escucho/database';
import { type Identity, outbox } from '@escucho/identity';
import { media, portal } from '@escucho/portal';
import { createApp, loggerOptions, registerMetrics } from '@escucho/service-kit';
import compress from '@fastify/compress';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { createRemoteJWKSet } from 'jose';
import { directoryProbe, registerHealth } from './health.ts';
import type { Instance } from './instance.ts';
import { identityOf, publicConfigOf } from './public-config.ts';
import type { Settings } from './settings.ts';
import { registerWeb } from './web.ts';

/** Addresses that belong to services: the web app never answers below them. */
const reserved = [
  '/api',
  '/identity',
  '/billing',
  '/operators',
  '/outbox',
  '/media',
  '/health',
  '/metrics',
  '/config.json',
];
