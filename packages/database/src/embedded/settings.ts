const MEGABYTE = 1024 * 1024;

/** The server's address: a unix socket in a folder or, on Windows, a port of the loopback interface. */
export type ServerAddress = { readonly folder: string } | { readonly port: number };

interface SettingsInput {
  readonly address: ServerAddress;
  /** False turns durability off, for tests. */
  readonly durable: boolean;
  /** Memory in bytes. */
  readonly memory: number;
  /** The size of the databases in bytes. */
  readonly dataSize: number;
  /** Path of the operator's own settings, which override these. */
  readonly custom?: string;
}

/**
 * Returns the whole `postgresql.conf`. Failed statements are not logged: they may contain secrets, and the caller has
 * the error.
 */
export function buildPostgresqlConf({ address, durable, memory, dataSize, custom }: SettingsInput): string {
  const share = (divisor: number, least: number, most: number) =>
    Math.min(most, Math.max(least, Math.floor(memory / divisor / MEGABYTE)));
  // PostgreSQL uses 3 % of its buffers from the start, filled or not. The rest of the data is in the system's cache.
  const buffers = Math.min(share(16, 32, 2048), Math.max(64, Math.ceil(dataSize / 4 / MEGABYTE)));
  const settings = {
    ...('folder' in address
      ? {
          listen_addresses: '',
          // A list, whose items may be quoted.
          unix_socket_directories: `"${address.folder.replaceAll('"', '""')}"`,
          unix_socket_permissions: '0700',
          port: 5432,
        }
      : { listen_addresses: '127.0.0.1', unix_socket_directories: '', port: address.port }),
    max_connections: durable ? 100 : 400,
    shared_buffers: `${durable ? buffers : 64}MB`,
    // Not in files of /dev/shm, which some containers lack. PostgreSQL needs memory of System V anyway; macOS has little of it.
    ...(process.platform === 'linux' && { dynamic_shared_memory_type: 'sysv' }),
    // By default a thirty-second of the buffers, all of which are in memory after some writing.
    wal_buffers: '1MB',
    effective_cache_size: `${share(2, 128, 8192)}MB`,
    work_mem: '8MB',
    maintenance_work_mem: '64MB',
    // Parallel queries and index builds need much shared memory, which may be limited.
    max_parallel_workers_per_gather: 0,
    max_parallel_maintenance_workers: 0,
    // By default three processes read ahead, of 1 to 2 MB each.
    io_method: 'sync',
    // By default each connection may have 64 reads at a time, for which it needs memory.
    io_max_concurrency: 4,
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
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${quoteValue(value)}`);
  return [
    '# Written at every start: put your own settings into custom.conf beside the folder cluster',
    ...lines,
    ...(custom ? [`include ${quoteValue(custom)}`] : []),
    '',
  ].join('\n');
}

function quoteValue(value: string | number): string {
  return `'${String(value).replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
}

/** Returns the bytes of memory this process may use, in a container less than the machine has. */
export function getUsableMemory(total: number, constrained: number): number {
  return constrained > 0 ? Math.min(total, constrained) : total;
}
