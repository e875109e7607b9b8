import { AppError } from '@escucho/contracts';
import {
  canReadMetrics,
  type Language,
  negotiateLanguage,
  pageHeaders,
  renderPage,
  toErrorBody,
} from '@escucho/service-kit';
import type { FastifyInstance } from 'fastify';
import { html } from 'ghtml';
import { messages } from './messages.ts';
import { createStatusReader, type Section, type Status, type StatusDeps } from './status.ts';

const DAY_MS = 86_400_000;
/** A certificate that is not renewed so long before its end is a warning. */
const CERTIFICATE_WARNING_MS = 14 * DAY_MS;
const MIN_FREE_DISK = 0.1;

/** Formats values in a language, with the moment at which they were read. */
function createFormat(language: Language, readAt: Date) {
  const timeFormat = new Intl.DateTimeFormat(language, {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: 'UTC',
  });
  const dateFormat = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: 'UTC' });
  const ageFormat = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
  const numberFormat = new Intl.NumberFormat(language, { maximumFractionDigits: 1 });
  const number = (value: number) => numberFormat.format(value);

  function age(time: Date): string {
    const hours = (time.getTime() - readAt.getTime()) / 3_600_000;
    if (Math.abs(hours) < 1) return ageFormat.format(Math.trunc(hours * 60), 'minute');
    if (Math.abs(hours) < 48) return ageFormat.format(Math.trunc(hours), 'hour');
    return ageFormat.format(Math.trunc(hours / 24), 'day');
  }
  const time = (value: Date) =>
    html`<time datetime="${value.toISOString()}">${timeFormat.format(value)} UTC</time>`;
  return {
    number,
    bytes: (value: number) => (value < 1e9 ? `${number(value / 1e6)} MB` : `${number(value / 1e9)} GB`),
    date: (value: Date) => dateFormat.format(value),
    time,
    timeAndAge: (value: Date) => html`!${time(value)} <span class="quiet">(${age(value)})</span>`,
  };
}

type Format = ReturnType<typeof createFormat>;
type Texts = (typeof messages)[Language];

/** A term and what is known of it, as HTML. */
type Row = readonly [term: string, description: string];

const warn = (text: string, isWarning: boolean): string =>
  isWarning ? html`<strong class="error">${text}</strong>` : html`${text}`;

const renderRows = (rows: readonly Row[]): string =>
  html`<dl>!${rows.map(([term, description]) => html`<dt>${term}</dt><dd>!${description}</dd>`)}</dl>`;

function renderCard(title: string, body: string): string {
  return html`<li><h2>${title}</h2>!${body}</li>
`;
}

/** Renders a section, or why there is nothing to see. */
function renderSection<T>(
  text: Texts,
  section: Section<T>,
  unused: string,
  render: (value: T) => string,
): string {
  if (section.state === 'ok') return render(section.value);
  return section.state === 'unused'
    ? html`<p class="quiet">${unused}</p>`
    : html`<p class="error">${text.failed}</p>`;
}

/** Describes whether the replica of DATABASE_READ_URL is read; no row without one. */
function toReadReplicaRows(text: Texts, format: Format, { readReplica }: Status): Row[] {
  if (readReplica.state === 'unused') return [];
  const state =
    readReplica.state === 'ok'
      ? html`${text.bytesBehind(format.bytes(readReplica.value.lagBytes))}`
      : warn(text.unreachable, true);
  return [[text.readReplica, state]];
}

function renderDatabase(text: Texts, format: Format, status: Status): string {
  const { database } = status;
  return renderSection(text, database, text.noDatabase, (value) => {
    const { version, bytes, connections, maxConnections, replicas } = value;
    const toState = ({ state, mode, lag }: (typeof replicas)[number]) =>
      state === null
        ? text.unknownState
        : [state, mode, lag === null ? null : text.lag(format.number(lag))].filter(Boolean).join(', ');
    const used = text.of(format.number(connections), format.number(maxConnections));
    return renderRows([
      ['PostgreSQL', html`${version}`],
      [text.size, html`${format.bytes(bytes)}`],
      [text.connections, warn(used, connections > 0.9 * maxConnections)],
      ...(replicas.length === 0
        ? [[text.replicas, html`${text.noReplicas}`] as const]
        : replicas.map((each) => [text.replica(each.name), html`${toState(each)}`] as const)),
      ...toReadReplicaRows(text, format, status),
    ]);
  });
}

function renderJobs(text: Texts, { number }: Format, { jobs }: Status): string {
  return renderSection(text, jobs, text.noDatabase, (services) => {
    const rows = services.map(({ service, waiting, running, dead }): Row => {
      const counts = text.jobCounts(number(waiting), number(running), number(dead));
      return [service, warn(counts, dead > 0)];
    });
    const hint = services.some(({ dead }) => dead > 0) ? html`<p class="quiet">${text.deadJobs}</p>` : '';
    return renderRows(rows) + hint;
  });
}

function renderBackups(text: Texts, format: Format, { backups }: Status): string {
  return renderSection(text, backups, text.noBackups, ({ newest, count, schedule }) =>
    renderRows([
      [text.newest, newest ? format.timeAndAge(newest) : warn(text.noBackupYet, true)],
      [text.count, html`${format.number(count)}`],
      [text.schedule, html`${schedule ?? text.noSchedule}`],
    ]),
  );
}

function renderKeys(text: Texts, format: Format, status: Status): string {
  const { signingKeys, secretsFile, certificate, readAt } = status;
  const keys = renderSection(text, signingKeys, text.externalKeys, (values) =>
    renderRows(
      values.map(({ use, createdAt }) => [
        use === 'access' ? text.accessKey : text.idKey,
        format.timeAndAge(createdAt),
      ]),
    ),
  );
  const others = renderRows([
    [text.secretsFile, renderSection(text, secretsFile, text.secretsInEnvironment, format.timeAndAge)],
    [
      text.certificate,
      renderSection(text, certificate, text.noCertificate, ({ from, to }) => {
        const isEnding = to.getTime() < readAt.getTime() + CERTIFICATE_WARNING_MS;
        return warn(text.validity(format.date(from), format.date(to)), isEnding);
      }),
    ],
  ]);
  return keys + others;
}

function renderDisk(text: Texts, format: Format, { disk }: Status): string {
  return renderSection(text, disk, '', ({ directory, freeBytes, totalBytes }) =>
    renderRows([
      [text.directory, html`${directory}`],
      [
        text.free,
        warn(
          text.of(format.bytes(freeBytes), format.bytes(totalBytes)),
          freeBytes < MIN_FREE_DISK * totalBytes,
        ),
      ],
    ]),
  );
}

/** Renders the status page. What needs attention is emphasised. */
function renderStatusPage(language: Language, status: Status): string {
  const text = messages[language];
  const format = createFormat(language, status.readAt);
  const { escucho, node, roles, startedAt } = status.process;
  const processRows = renderRows([
    ['Escucho', html`${escucho}`],
    [text.node, html`${node}`],
    [text.roles, html`${roles.join(', ')}`],
    [text.started, format.timeAndAge(startedAt)],
  ]);
  const main = html`<h1>${text.title}</h1>
<p class="quiet">${text.readAt} !${format.time(status.readAt)}</p>
<nav><a href="">${text.refresh}</a></nav>
<ol>
!${renderCard(text.process, processRows)}
!${renderCard(text.jobs, renderJobs(text, format, status))}
!${renderCard(text.backups, renderBackups(text, format, status))}
!${renderCard(text.database, renderDatabase(text, format, status))}
!${renderCard(text.keys, renderKeys(text, format, status))}
!${renderCard(text.disk, renderDisk(text, format, status))}
</ol>`;
  return renderPage(language, text.title, main);
}

/** Whether a client prefers JSON, as programs do, to the page. */
const prefersJson = (accept = '') => accept.includes('application/json') && !accept.includes('text/html');

/**
 * Registers `/status`, a page for administrators, as JSON for programs. It needs the same authorization as `/metrics`:
 * METRICS_TOKEN, for which browsers ask as the password of HTTP Basic, or without one a request from this machine.
 */
export function registerStatus(app: FastifyInstance, deps: Omit<StatusDeps, 'log'>): void {
  const { metricsToken: token, publicUrl } = deps.settings;
  const reader = createStatusReader({ ...deps, log: app.log });
  app.addHook('onClose', reader.close);

  app.get('/status', { schema: { hide: true } }, async (request, reply) => {
    if (!canReadMetrics(request, { token, publicUrl })) {
      if (token === undefined) throw new AppError('not_found');
      return reply
        .status(401)
        .headers({
          'www-authenticate': 'Basic realm="Escucho", charset="UTF-8"',
          'cache-control': 'no-store',
        })
        .send(toErrorBody(new AppError('unauthorized'), request));
    }
    const status = await reader.read();
    reply.headers({ ...pageHeaders(), vary: 'accept, accept-language' });
    if (prefersJson(request.headers.accept)) return reply.send(status);
    const language = negotiateLanguage(request.headers['accept-language']);
    return reply.type('text/html; charset=utf-8').send(renderStatusPage(language, status));
  });
}
