import { useEffect, useRef, useState } from 'react';

/** How long a changed row is highlighted. */
const SHOWN_MS = 1_800;

/**
 * The ids of rows that recently changed, for a short time. Rows that appeared or disappeared with another page or
 * filter do not count.
 */
export function useChanged<Row extends { id: string | number }>(
  rows: readonly Row[] | undefined,
  lookOf: (row: Row) => string,
): ReadonlySet<string | number> {
  const known = useRef(new Map<string | number, string>());
  const look = useRef(lookOf);
  look.current = lookOf;
  const [changed, setChanged] = useState<ReadonlySet<string | number>>(new Set());

  useEffect(() => {
    if (!rows) return;
    const before = known.current;
    known.current = new Map(rows.map((row) => [row.id, look.current(row)]));
    const fresh = rows
      .filter((row) => before.has(row.id) && before.get(row.id) !== known.current.get(row.id))
      .map((row) => row.id);
    if (fresh.length === 0) return;
    setChanged((shown) => new Set([...shown, ...fresh]));
    setTimeout(() => setChanged((shown) => new Set([...shown].filter((id) => !fresh.includes(id)))), SHOWN_MS);
  }, [rows]);

  return changed;
}
