import { cells, edition } from 'virtual:coasts';
import { useEffect, useState } from 'react';
import type { MapWindow } from '../plane.ts';
import { cellFile, cellsOf } from './coast-cells.ts';

/** Detailed coasts of a cell, as paths. */
export interface Coasts {
  cell: string;
  land: string;
  borders: string;
}

/** For wider windows, the coarser coasts have enough detail. Such a window has at most four cells. */
const WIDEST = 45;

const loaded = new Map<string, Coasts>();
const loading = new Map<string, Promise<void>>();

/**
 * The detailed coasts of a window; null without them. `expected`: they are loading. Not so for a wide window, and where
 * they cannot be loaded.
 */
export function useCoasts(window: MapWindow, ratio: number): { coasts: Coasts[] | null; expected: boolean } {
  const [failed, setFailed] = useState(false);
  const [, setLoaded] = useState(0);
  const detailed = cells.size > 0 && window.width <= WIDEST && !failed;
  const wanted = detailed ? cellsOf(window, ratio).filter((one) => cells.has(one)) : [];
  const missing = wanted.filter((cell) => !loaded.has(cell)).join(' ');
  useEffect(() => {
    let shown = true;
    if (missing === '') return;
    void Promise.all(missing.split(' ').map(load)).then(
      () => shown && setLoaded(loaded.size),
      () => shown && setFailed(true),
    );
    return () => {
      shown = false;
    };
  }, [missing]);
  if (!detailed) return { coasts: null, expected: false };
  if (missing !== '') return { coasts: null, expected: true };
  return { coasts: wanted.flatMap((cell) => loaded.get(cell) ?? []), expected: true };
}

function load(cell: string): Promise<void> {
  const known = loading.get(cell);
  if (known) return known;
  const request = fetch(`/${cellFile(edition, cell)}`)
    .then(async (answer) => {
      if (!answer.ok) throw new Error(`The coasts of ${cell} cannot be loaded`);
      loaded.set(cell, { cell, ...((await answer.json()) as Omit<Coasts, 'cell'>) });
    })
    .finally(() => loading.delete(cell));
  loading.set(cell, request);
  return request;
}
