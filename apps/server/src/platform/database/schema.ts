import type { DeletionTables } from '../deletion/tables.ts';
import type { MailsTables } from '../mail/tables.ts';
import type { ObjectsTables } from '../objects/tables.ts';
import type { RequestsTables } from '../requests/tables.ts';

/**
 * The tables as the migrations create them. The platform has its own; each module adds its tables in its `tables.ts`.
 * `bigint` is read as a number (IDs stay far below 2^53), `date` as `yyyy-MM-dd`.
 */
export interface Database extends DeletionTables, MailsTables, ObjectsTables, RequestsTables {}
