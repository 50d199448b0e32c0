import { type RawBuilder, sql } from 'kysely';

/** The position where a batch of alarms or events ended. */
export interface Position {
  /** the severity of an alarm; 0 when the list is ordered by time only */
  rank: number;
  /** microseconds since the epoch, as text */
  micros: string;
  id: string;
}

/** The position of `after` in a request, null for the start. The schema has checked its format. */
export function positionOf(after: string | undefined): Position | null {
  const [rank, micros, id] = after?.split('_') ?? [];
  return rank === undefined || micros === undefined || id === undefined ? null : { rank: Number(rank), micros, id };
}

/** The value of `after` that continues after a batch of rows; null when there are no more. */
export function nextAfter(
  rows: readonly { id: number; micros: string; severity?: number }[],
  limit: number,
): string | null {
  const last = rows.at(-1);
  return rows.length < limit || !last ? null : `${last.severity ?? 0}_${last.micros}_${last.id}`;
}

/** A time given in microseconds since the epoch, exactly. */
export const TIME_OF_MICROS = (micros: string): RawBuilder<unknown> =>
  sql`(timestamptz 'epoch' + ${micros}::bigint * interval '1 microsecond')`;
