import { type IssueAction, type IssueStatus, issueStatusAfter } from '@chargehand/domain';

/** The columns of the board, in the order in which most issues go through them. */
export const BOARD_COLUMNS: readonly IssueStatus[] = ['open', 'pending', 'closed', 'reopen'];

/** The actions that change the status of an issue. */
const MOVES = ['start', 'close', 'reopen'] as const satisfies readonly IssueAction[];
export type Move = (typeof MOVES)[number];

/** The actions that an issue of a status allows. */
export function movesOf(status: IssueStatus): Move[] {
  return MOVES.filter((move) => issueStatusAfter(status, move) !== null);
}

/** The action that brings an issue into another column; null if there is none. */
export function moveInto(from: IssueStatus, to: IssueStatus): Move | null {
  return MOVES.find((move) => issueStatusAfter(from, move) === to) ?? null;
}

/** The action that brings an issue into the next possible column on a side; null if there is none. */
export function moveAside(from: IssueStatus, way: 'left' | 'right'): Move | null {
  const at = BOARD_COLUMNS.indexOf(from);
  const beside = way === 'right' ? BOARD_COLUMNS.slice(at + 1) : BOARD_COLUMNS.slice(0, at).toReversed();
  for (const to of beside) {
    const move = moveInto(from, to);
    if (move) return move;
  }
  return null;
}
