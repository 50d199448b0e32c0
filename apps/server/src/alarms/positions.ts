import { type RawBuilder, sql } from 'kysely';

/** Where a stretch of alarms or events ended. */
export interface Position {
  /** the severity of an alarm; 0 where the list is in the order of time alone */
  rank: number;
  /** microseconds since the epoch, as a text */
  micros: string;
  id: string;
}

/** The position that `after` of the wire stands for, null for the start. Its schema has made sure of its form. */
export function positionOf(after: string | undefined): Position | null {
  const [rank, micros, id] = after?.split('_') ?? [];
  return rank === undefined || micros === undefined || id === undefined ? null : { rank: Number(rank), micros, id };
}

/** What continues a stretch of rows as `after` of the wire; null when there are no more. */
export function nextAfter(
  rows: readonly { id: number; micros: string; severity?: number }[],
  limit: number,
): string | null {
  const last = rows.at(-1);
  return rows.length < limit || !last ? null : `${last.severity ?? 0}_${last.micros}_${last.id}`;
}

/** A time of so many microseconds since the epoch, exactly. */
export const TIME_OF_MICROS = (micros: string): RawBuilder<unknown> =>
  sql`(timestamptz 'epoch' + ${micros}::bigint * interval '1 microsecond')`;
