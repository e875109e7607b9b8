import type { Article, DeviceKind, Platform, ProgressCause } from '@escucho/contracts';
import { type Connection, type DatabaseOptions, openDatabase } from '@escucho/database';
import { type ColumnType, type Generated, type JSONColumnType, type Kysely, sql } from 'kysely';

/** The service's PostgreSQL schema. */
export const schema = 'portal';

export type Language = Article['language'];
type Kind = Article['kind'];
type Level = Article['level'];
type Origin = 'system' | 'user' | 'auto';

interface Chapter {
  title: string;
  start: number;
}

interface Page extends Chapter {
  alt: string;
  image: string;
}

/** The tables, as migrations/0001_initial.sql describes them. */
export interface Tables {
  users: {
    id: Generated<string>;
    subject: string;
    email: string | null;
    first_name: Generated<string>;
    last_name: Generated<string>;
    platform: Platform | null;
    language: Language | null;
    theme: 'dark' | 'light' | null;
    level: Level | null;
    learning_language: Language | null;
    has_custom_names: Generated<boolean>;
    onboarded_at: Date | null;
    operator_checked_at: Date | null;
    operator_ended_at: Date | null;
    signed_out_at: Date | null;
    history_cleared_at: Date | null;
    created_at: Date;
    updated_at: Date;
  };
  used_operator_link: { platform: Platform; fingerprint: string; expires_at: Date };
  subscription_grant: {
    id: Generated<string>;
    user_id: string;
    store: string;
    product: string | null;
    expires_at: Date | null;
    unsubscribe_detected_at: Date | null;
    billing_issue_detected_at: Date | null;
    is_sandbox: Generated<boolean>;
    created_at: Date;
  };
  subscription_sync: { user_id: string; synced_at: Date };
  narrator: { name: string; image: string | null };
  article: {
    id: string;
    slug: string;
    title: string;
    summary: string;
    kind: Kind;
    language: Language;
    translation_language: Language | null;
    level: Level;
    topic: string;
    narrator: string;
    image: string;
    artwork: string;
    audio: string;
    duration: number;
    chapters: JSONColumnType<Chapter[]>;
    pages: JSONColumnType<Page[]>;
    source_stamp: string;
    content_hash: string;
    published_at: Date;
    loudness: number | null;
    estimated: Generated<boolean>;
    source: string | null;
    source_audio_hash: string | null;
    edited_columns: ColumnType<Record<string, unknown>, string | undefined, string>;
  };
  sentence: {
    article_id: string;
    number: number;
    text: string;
    translation: string | null;
    starts_at: number;
    ends_at: number;
    paragraph: number;
    chapter: number | null;
    page: number | null;
  };
  withdrawn_article: {
    id: string;
    slug: string;
    title: string;
    source: string | null;
    source_audio_hash: string | null;
    published_at: Date | null;
    withdrawn_at: Date;
  };
  withdrawn_row: {
    article_id: string;
    user_id: string | null;
    table_name: string;
    row: JSONColumnType<Record<string, unknown>>;
  };
  skipped_recording: { source: string; stamp: string; audio_hash: string };
  failed_recording: { source: string; stamp: string; reason: string; failed_at: Date };
  unused_media: { key: string; found_at: Date };
  search_document: {
    article_id: string;
    number: number;
    language: Language;
    title: string;
    tags: string[];
    /** A `tsvector`, for queries only. */
    head: string;
    body: string;
  };
  vocabulary: { word: string; language: Language; documents: number; heads: number };
  word_form: { word: string; language: Language; stem: string; keys: string[] };
  catalogue_version: { version: number };
  catalogue_count: { tag: string; language: Language; documents: number };
  playlist: {
    id: Generated<string>;
    owner_id: string | null;
    name: string;
    origin: Origin;
    titles: JSONColumnType<{ en: string; es: string }> | null;
    active: Generated<boolean>;
    sort_order: Generated<number>;
    total_tracks: Generated<number>;
    total_duration: Generated<number>;
    content_hash: string | null;
    min_sort_key: Generated<number>;
    max_sort_key: Generated<number>;
    created_at: Date;
    deleted_at: ColumnType<Date | null, undefined, Date | null>;
  };
  playlist_item: {
    playlist_id: string;
    article_id: string;
    /** Of any precision; read as text, because JavaScript's numbers would round it. */
    sort_key: ColumnType<string, number | string>;
    added_at: Date;
  };
  listening_event: {
    user_id: string;
    device_id: string;
    sequence: number;
    article_id: string;
    position: number;
    cause: ProgressCause;
    occurred_at: Date;
    received_at: Date;
    seconds_played: number | null;
  };
  listening_progress: {
    user_id: string;
    article_id: string;
    position: number;
    in_continue_listening: boolean;
    device_kind: DeviceKind | null;
    device_id: string | null;
    in_history: Generated<boolean>;
    history_removed_at: Date | null;
    listened_at: Date;
    updated_at: Date | null;
  };
  bookmark: {
    user_id: string;
    id: string;
    article_id: string;
    position: number;
    note: string;
    created_at: Date;
    /** Set by a trigger. */
    search_note: Generated<string>;
  };
  deleted_user: { subject_hash: Buffer; deleted_at: Date; completed_at: Date | null };
  notification: {
    id: Generated<string>;
    title_en: string;
    title_es: string;
    body_en: string;
    body_es: string;
    created_at: Date;
    retracted_at: Date | null;
  };
}

/** The database, or a transaction on it. */
export type Database = Kysely<Tables>;

/**
 * PostgreSQL would plan many statements anew for each execution, because it expects ten values of an array where there is
 * one. Planning takes longer than their execution (docs/decisions/0084-large-catalogue.md).
 */
const planOnce = { plan_cache_mode: 'force_generic_plan' };

/** Opens the schema; `name` identifies the connections at the database server. */
export function openPortalDatabase(
  connection: Connection,
  options: Omit<DatabaseOptions, 'connection' | 'schema'>,
): Database {
  return openDatabase<Tables>({
    connection,
    schema,
    ...options,
    settings: { ...planOnce, ...options.settings },
  });
}

/** A column that references the `id` of another table. */
export interface ForeignKey {
  table: string;
  column: string;
  target: string;
}

/** Returns the foreign keys of the schema, by table. */
export async function findForeignKeys(db: Database): Promise<ForeignKey[]> {
  const { rows } = await sql<ForeignKey>`
    select source.relname "table", a.attname "column", target.relname "target"
    from pg_constraint c
    join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
    join pg_class source on source.oid = c.conrelid
    join pg_class target on target.oid = c.confrelid
    where c.contype = 'f' and source.relnamespace = (select relnamespace from pg_class where oid = 'users'::regclass)
    order by 1, 2`.execute(db);
  return rows;
}
