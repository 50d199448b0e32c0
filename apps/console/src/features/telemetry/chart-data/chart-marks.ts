import type { AlarmMark, CommandMark } from '@chargehand/contract';
import type { Edges } from './chart-window.ts';

/** An event of a device on the time axis. Times in epoch milliseconds. */
export type Mark = {
  device: { name: string; protocol: string | null };
  at: number;
  /** when it ended; null while it is active, and for events without duration */
  to: number | null;
} & ({ alarm: AlarmMark } | { command: CommandMark } | { restart: true });

/** Marks that would overlap, and their position as a share of the axis from 0 to 1. */
export interface MarkGroup {
  left: number;
  marks: Mark[];
}

/** The width of a mark in pixels. */
const MARK_WIDTH = 20;

/**
 * The marks of a window from left to right, with overlapping ones grouped. Marks that started before it are at its
 * edge.
 */
export function groupMarks(marks: readonly Mark[], { from, to }: Edges, width: number): MarkGroup[] {
  const least = width > 0 ? MARK_WIDTH / width : 1;
  const groups: MarkGroup[] = [];
  for (const mark of marks.toSorted((a, b) => a.at - b.at)) {
    if (mark.at > to || (mark.to ?? mark.at) < from) continue;
    const left = Math.max(0, (mark.at - from) / (to - from));
    const last = groups.at(-1);
    if (last && left - last.left < least) last.marks.push(mark);
    else groups.push({ left, marks: [mark] });
  }
  return groups;
}
