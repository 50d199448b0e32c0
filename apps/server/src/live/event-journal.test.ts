import { expect, test } from 'vitest';
import { eventJournal } from './event-journal.ts';

const place = { customerId: 1, siteId: 2 };

test('contains each event after a position once, without its changes', () => {
  const journal = eventJournal();
  journal.add({ 'device.state': [[1, null, null]] });
  const position = journal.position();
  journal.add({ 'device.state': [[2, { status: 'idle' }, null]], 'user.sessions': [[7, null, { userId: 7 }]] });
  const after = journal.add({
    'device.state': [
      [2, null, null],
      [2, null, place],
    ],
  });
  expect(journal.since(position)).toEqual({
    'device.state': [
      [2, null, null],
      [2, null, place],
    ],
    'user.sessions': [[7, null, { userId: 7 }]],
  });
  expect(after).toBe(journal.position());
  expect(journal.since(after)).toEqual({});
});

test('covers the positions since which all events are kept', () => {
  const journal = eventJournal(10);
  const start = journal.position();
  expect(journal.covers(start)).toBe(true);
  const positions = Array.from({ length: 25 }, (_, index) => journal.add({ 'device.state': [[index, null, null]] }));
  expect(journal.covers(start)).toBe(false);
  const covered = positions.filter(journal.covers);
  expect(covered.length).toBeGreaterThan(10);
  for (const position of covered) {
    expect(journal.since(position)['device.state'] ?? []).toHaveLength(24 - positions.indexOf(position));
  }
});

test('covers no position of another process, none that was never given, and none before events were lost', () => {
  const journal = eventJournal();
  const position = journal.add({});
  for (const unknown of [eventJournal().position(), '', '.', position.replace(/\d+$/, '2'), `${position}x`]) {
    expect(journal.covers(unknown), unknown).toBe(false);
  }
  journal.forget();
  expect(journal.covers(position)).toBe(false);
  expect(journal.covers(journal.position())).toBe(true);
});
