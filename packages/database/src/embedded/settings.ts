const MEGABYTE = 1024 * 1024;

/** How the server is reached: a socket in a folder, or (on Windows) a port of the loopback interface. */
export type Door = { readonly folder: string } | { readonly port: number };

export interface SettingsInput {
  readonly door: Door;
  /** False gives up the data of a crash for speed: for tests alone. */
  readonly durable: boolean;
  /** Memory of the machine in bytes. */
  readonly memory: number;
  /** Path of an operator's own settings, which come last and win. */
  readonly custom?: string;
}

/**
 * The whole `postgresql.conf`. Failed statements are not logged: their texts and details may hold secrets, and the caller has the error.
 */
export function postgresqlConf({ door, durable, memory, custom }: SettingsInput): string {
  const share = (part: number, least: number, most: number) =>
    `${Math.min(most, Math.max(least, Math.floor(memory / part / MEGABYTE)))}MB`;
  const settings = {
    ...('folder' in door
      ? {
          listen_addresses: '',
          unix_socket_directories: door.folder,
          unix_socket_permissions: '0700',
          port: 5432,
        }
      : { listen_addresses: '127.0.0.1', unix_socket_directories: '', port: door.port }),
    max_connections: durable ? 100 : 200,
    shared_buffers: durable ? share(16, 32, 2048) : '64MB',
    effective_cache_size: share(2, 128, 8192),
    work_mem: '8MB',
    maintenance_work_mem: '64MB',
    // parallel queries and index builds need /dev/shm, of which containers have little
    max_parallel_workers_per_gather: 0,
    max_parallel_maintenance_workers: 0,
    random_page_cost: 1.1,
    jit: 'off',
    wal_level: 'minimal',
    max_wal_senders: 0,
    max_logical_replication_workers: 0,
    max_wal_size: '512MB',
    ...(durable ? {} : { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }),
    log_min_messages: 'log',
    log_checkpoints: 'off',
    log_line_prefix: '%m [%p] ',
    log_timezone: 'UTC',
    timezone: 'UTC',
    datestyle: 'iso, ymd',
    lc_messages: 'C',
    default_text_search_config: 'pg_catalog.simple',
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${quoted(value)}`);
  return [
    '# Written at every start: your own settings go into custom.conf in the folder above',
    ...lines,
    ...(custom ? [`include ${quoted(custom)}`] : []),
    '',
  ].join('\n');
}

function quoted(value: string | number): string {
  return `'${String(value).replaceAll("'", "''")}'`;
}

/** Bytes of memory this process may use, which in a container is less than the machine has. */
export function usableMemory(total: number, constrained: number): number {
  return constrained > 0 ? Math.min(total, constrained) : total;
}
