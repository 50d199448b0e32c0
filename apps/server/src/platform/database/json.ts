import type { ColumnType } from 'kysely';

/** A jsonb column: read as parsed, written as text. */
export type Json<T = unknown> = ColumnType<T, string | null | undefined, string | null>;
