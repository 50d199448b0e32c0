import { describe, expect, it } from 'vitest';
import { statusesAfterClick, statusesOf } from './status-filter.ts';

describe('the status filter', () => {
  it.each([
    [undefined, []],
    ['', []],
    ['offline', ['offline']],
    ['offline,faulted', ['faulted', 'offline']],
    ['offline,nonsense', ['offline']],
  ])('reads %j', (text, expected) => {
    expect(statusesOf(text)).toEqual(expected);
  });

  it.each([
    { chosen: [], clicked: 'idle', add: false, next: 'idle' },
    { chosen: ['idle'], clicked: 'idle', add: false, next: undefined },
    { chosen: ['idle'], clicked: 'offline', add: false, next: 'offline' },
    { chosen: ['idle', 'offline'], clicked: 'idle', add: false, next: 'idle' },
    { chosen: ['idle'], clicked: 'offline', add: true, next: 'offline,idle' },
    { chosen: ['idle', 'offline'], clicked: 'idle', add: true, next: 'offline' },
    { chosen: ['idle'], clicked: 'idle', add: true, next: undefined },
  ] as const)('$chosen, click $clicked (add: $add) gives $next', ({ chosen, clicked, add, next }) => {
    expect(statusesAfterClick(chosen, clicked, add)).toBe(next);
  });
});
