import { ISSUE_STATUSES, type IssueStatus } from '@chargehand/domain';
import { describe, expect, it } from 'vitest';
import { BOARD_COLUMNS, type Move, moveAside, moveInto, movesOf } from './moves.ts';

describe('a card of the board', () => {
  it('has a column for every status', () => {
    expect([...BOARD_COLUMNS].sort()).toEqual([...ISSUE_STATUSES].sort());
  });

  it.each([
    ['open', 'pending', 'start'],
    ['open', 'closed', 'close'],
    ['open', 'reopen', null],
    ['open', 'open', null],
    ['pending', 'closed', 'close'],
    ['pending', 'open', null],
    ['closed', 'reopen', 'reopen'],
    ['closed', 'open', null],
    ['closed', 'pending', null],
    ['reopen', 'pending', 'start'],
    ['reopen', 'closed', 'close'],
  ] as [IssueStatus, IssueStatus, Move | null][])('moves from %s to %s by: %s', (from, to, move) => {
    expect(moveInto(from, to)).toBe(move);
  });

  it.each([
    ['open', 'right', 'start'],
    ['open', 'left', null],
    ['pending', 'right', 'close'],
    ['pending', 'left', null],
    ['closed', 'right', 'reopen'],
    ['closed', 'left', null],
    ['reopen', 'left', 'close'],
    ['reopen', 'right', null],
  ] as [IssueStatus, 'left' | 'right', Move | null][])('moves from %s to the %s by: %s', (from, way, move) => {
    expect(moveAside(from, way)).toBe(move);
  });

  it('offers what its status allows', () => {
    expect(movesOf('open')).toEqual(['start', 'close']);
    expect(movesOf('pending')).toEqual(['close']);
    expect(movesOf('closed')).toEqual(['reopen']);
    expect(movesOf('reopen')).toEqual(['start', 'close']);
  });
});
