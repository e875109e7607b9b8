import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createBackupKey } from '@escucho/database';
import { createFolder } from '@escucho/database/testing';
import { Deployment } from 'kubernetes-models/apps/v1';
import { HorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2';
import { Ingress } from 'kubernetes-models/networking.k8s.io/v1';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1';
import { Service } from 'kubernetes-models/v1';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import * as z from 'zod/mini';
import { createInstance } from './instance.ts';
import { readSettings, settingNames } from './settings.ts';
import { hasHaproxy, startHaproxy } from './testing/faults/haproxy.ts';
import { findFreePort } from './testing/product.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const directory = await createFolder();
const secretsFile = join(directory, 'secrets.json');
await writeFile(secretsFile, JSON.stringify(createInstance()));
const backupKey = await createBackupKey();

const readText = (path: string) => readFileSync(join(root, path), 'utf8');
const readYaml = <Schema extends z.ZodMiniType>(path: string, schema: Schema): z.output<Schema> =>
  schema.parse(parse(readText(path), { merge: true }));

const imageVariables = Object.fromEntries(
  [...(readText('Dockerfile').match(/^ENV (.*)$/m)?.[1] ?? '').matchAll(/(\w+)=(\S+)/g)].map(
    ([, name = '', value]) => [name, value],
  ),
);

/** Reads settings as the image does; every variable must be a setting, or the file of one. */
function readImageSettings(env: Record<string, string>) {
  const all = { ...imageVariables, ...env };
  for (const name of Object.keys(all)) expect(settingNames).toContain(name.replace(/_FILE$/, ''));
  return readSettings(all);
}

describe('compose.yaml', () => {
  const service = z.object({
    environment: z.optional(z.record(z.string(), z.string())),
    depends_on: z.optional(z.union([z.array(z.string()), z.record(z.string(), z.unknown())])),
    volumes: z.optional(z.array(z.string())),
    read_only: z.optional(z.boolean()),
  });
  const compose = readYaml(
    'compose.yaml',
    z.object({ services: z.record(z.string(), service), volumes: z.record(z.string(), z.unknown()) }),
  );
  const { services } = compose;

  it('has settings for two processes that production accepts', () => {
    for (const name of ['app-1', 'app-2']) {
      const settings = readImageSettings(services[name]?.environment ?? {});
      expect(settings).toMatchObject({ production: true, demo: false, port: 3000, dataDir: '/data' });
      expect(services[name]?.read_only).toBe(true);
    }
  });

  it('refers to its own services, volumes and files only', () => {
    for (const { depends_on: dependencies = [], volumes = [] } of Object.values(services)) {
      const names = Array.isArray(dependencies) ? dependencies : Object.keys(dependencies);
      for (const name of names) expect(Object.keys(services)).toContain(name);
      for (const source of volumes.map((volume) => volume.split(':')[0] ?? ''))
        expect(source in compose.volumes || existsSync(join(root, source)), source).toBe(true);
    }
    const proxy = readText('deploy/compose/Caddyfile');
    for (const [, host = ''] of proxy.matchAll(/(\S+):3000/g)) expect(Object.keys(services)).toContain(host);
  });
});

describe('deploy/kubernetes', () => {
  const base = 'deploy/kubernetes/base';
  const labels = z.record(z.string(), z.string());
  const selector = z.object({ matchLabels: labels });
  const reference = z.optional(z.object({ name: z.string() }));
  const container = z.object({
    env: z.array(z.object({ name: z.string(), value: z.string() })),
    envFrom: z.array(z.object({ configMapRef: reference, secretRef: reference })),
    securityContext: z.record(z.string(), z.unknown()),
    volumeMounts: z.array(z.object({ name: z.string(), mountPath: z.string() })),
  });
  const deployment = z.object({
    kind: z.literal('Deployment'),
    metadata: z.object({ name: z.string() }),
    spec: z.object({
      selector,
      template: z.object({
        metadata: z.object({ labels }),
        spec: z.object({
          securityContext: z.record(z.string(), z.unknown()),
          containers: z.array(container),
          volumes: z.array(
            z.object({ name: z.string(), secret: z.optional(z.object({ secretName: z.string() })) }),
          ),
        }),
      }),
    }),
  });
  const deployments = ['web', 'jobs'].map((name) => readYaml(`${base}/${name}.yaml`, deployment));
  const generator = z.array(z.object({ name: z.string(), literals: z.optional(z.array(z.string())) }));
  const example = readYaml(
    'deploy/kubernetes/example/kustomization.yaml',
    z.object({ configMapGenerator: generator, secretGenerator: generator }),
  );
  const literals = example.configMapGenerator.flatMap(({ literals: lines = [] }) => lines);
  const configMap = Object.fromEntries(
    literals.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );

  const { resources } = readYaml(`${base}/kustomization.yaml`, z.object({ resources: z.array(z.string()) }));

  it('lists every file of the base', () => {
    expect([...resources, 'kustomization.yaml'].toSorted()).toEqual(readdirSync(join(root, base)).toSorted());
  });

  it.each(resources)('%s is valid by the schemas of Kubernetes', (file) => {
    const resource = parse(readText(`${base}/${file}`), { merge: true });
    const Model = [Deployment, HorizontalPodAutoscaler, Ingress, PodDisruptionBudget, Service].find((model) =>
      model.is(resource),
    );
    if (!Model) throw new Error(`no schema of ${resource.apiVersion} ${resource.kind}`);
    expect(() => new Model(resource).validate()).not.toThrow();
  });

  it.each(deployments)('$metadata.name has settings that production accepts', ({ spec }) => {
    const { containers, volumes, securityContext } = spec.template.spec;
    expect(spec.template.metadata.labels).toMatchObject(spec.selector.matchLabels);
    expect(securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 10001 });
    for (const { env, envFrom, volumeMounts, securityContext: limits } of containers) {
      const variables = Object.fromEntries(env.map(({ name, value }) => [name, value]));
      const secrets = {
        DATABASE_URL: 'postgres://escucho:secret@db.example/escucho?sslmode=verify-full',
        SMTP_URL: 'smtps://mail.example:465',
      };
      const { roles } = readImageSettings({
        ...configMap,
        ...secrets,
        ...variables,
        BACKUP_RECIPIENTS: backupKey.recipient,
        SECRETS_FILE: secretsFile,
      });
      expect(roles.join()).toBe(variables.ROLES);
      expect(limits).toMatchObject({ readOnlyRootFilesystem: true, allowPrivilegeEscalation: false });
      expect(volumeMounts.map(({ name }) => name).toSorted()).toEqual(
        volumes.map(({ name }) => name).toSorted(),
      );
      const mounted = volumeMounts.find(({ name }) => name === 'secrets')?.mountPath;
      expect(variables.SECRETS_FILE).toBe(`${mounted}/secrets.json`);
      const generated = [...example.configMapGenerator, ...example.secretGenerator].map(({ name }) => name);
      const used = [
        ...envFrom.flatMap(({ configMapRef, secretRef }) => [configMapRef?.name, secretRef?.name]),
        ...volumes.map(({ secret }) => secret?.secretName),
      ];
      expect(generated.toSorted()).toEqual(used.filter((name) => name !== undefined).toSorted());
    }
  });

  it('all roles are deployed, and requests go to a deployment', () => {
    const served = deployments.flatMap(({ spec }) =>
      spec.template.spec.containers.flatMap(({ env }) =>
        env.find(({ name }) => name === 'ROLES')?.value.split(','),
      ),
    );
    expect(served.toSorted()).toEqual([...readSettings({}).roles].toSorted());
    const names = deployments.map(({ metadata }) => metadata.name);
    const podLabels = deployments.map(({ spec }) => spec.template.metadata.labels);
    const service = readYaml(`${base}/service.yaml`, z.object({ spec: z.object({ selector: labels }) }));
    expect(podLabels).toContainEqual(service.spec.selector);
    const budget = readYaml(`${base}/disruption-budget.yaml`, z.object({ spec: z.object({ selector }) }));
    expect(podLabels).toContainEqual(budget.spec.selector.matchLabels);
    const target = z.object({ scaleTargetRef: z.object({ name: z.string() }) });
    const autoscaler = readYaml(`${base}/autoscaler.yaml`, z.object({ spec: target }));
    expect(names).toContain(autoscaler.spec.scaleTargetRef.name);
  });
});

describe('deploy/haproxy', () => {
  it('logs no part of a request with its query string', () => {
    const lines = readText('deploy/haproxy/haproxy.cfg').split('\n');
    const formats = lines.filter((line) =>
      /^\s*((error-)?log-format|option httpslog|option httplog)/.test(line),
    );
    expect(formats.length).toBeGreaterThan(0);
    for (const line of formats) {
      expect(line).not.toMatch(/option|%(\{[^}]*\})?(r|HU|HQ)\b|%\[/);
      expect(line).toMatch(/%HM %HP %HV/);
    }
  });

  it.runIf(hasHaproxy)('logs the path of a request, and its query string nowhere', async () => {
    const [port, serverPort] = [await findFreePort(), await findFreePort()];
    const server = createServer((_, response) => response.end()).listen(serverPort, '127.0.0.1');
    onTestFinished(() => void server.close());
    const origins = [`http://127.0.0.1:${serverPort}`];
    const logFile = join(directory, 'haproxy.log');
    const { stop } = await startHaproxy({ port, origins, directory, logFile });
    onTestFinished(stop);
    await fetch(`http://127.0.0.1:${port}/media/a.mp3?token=canary`);
    await expect.poll(() => readFile(logFile, 'utf8')).toContain('"GET /media/a.mp3 HTTP/1.1"');
    expect(await readFile(logFile, 'utf8')).not.toContain('canary');
  });
});

describe('the systemd unit', () => {
  const unit = readText('deploy/systemd/escucho.service');

  it('has settings only in its environment', () => {
    const [, variables = ''] = unit.match(/^Environment=(.*)$/m) ?? [];
    for (const [, name = ''] of variables.matchAll(/(\w+)=/g)) expect(settingNames).toContain(name);
  });

  it.runIf(existsSync('/usr/bin/systemd-analyze'))('is valid and hardened', async () => {
    const file = join(directory, 'escucho.service');
    await writeFile(file, unit.replace('/usr/bin/node', process.execPath));
    const analyze = (...args: string[]) =>
      execFileSync('systemd-analyze', [...args, file], { stdio: 'pipe' });
    analyze('verify');
    // The exposure level times ten.
    analyze('security', '--offline=true', '--threshold=20');
  });
});
