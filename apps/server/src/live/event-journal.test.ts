import { expect, test } from 'vitest';
import type { EventBatch, NumberedBatch } from './event-feed.ts';
import { eventJournal } from './event-journal.ts';

const place = { customerId: 1, siteId: 2 };

/** A process that sends events: each call is its next batch. */
function sender(source: string) {
  let number = 0;
  return (events: EventBatch): NumberedBatch => {
    number += 1;
    return { source, number, events };
  };
}

test('contains each event after a position once, without its changes', () => {
  const journal = eventJournal();
  const one = sender('a');
  journal.add(one({ 'device.state': [[1, null, null]] }));
  const position = journal.position();
  journal.add(one({ 'device.state': [[2, { status: 'idle' }, null]], 'user.sessions': [[7, null, { userId: 7 }]] }));
  const after = journal.add(
    one({
      'device.state': [
        [2, null, null],
        [2, null, place],
      ],
    }),
  );
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
  const one = sender('a');
  const positions = Array.from({ length: 25 }, (_, index) =>
    journal.add(one({ 'device.state': [[index, null, null]] })),
  );
  expect(journal.covers(start)).toBe(false);
  const covered = positions.filter(journal.covers);
  expect(covered.length).toBeGreaterThan(10);
  for (const position of covered) {
    expect(journal.since(position)['device.state'] ?? []).toHaveLength(24 - positions.indexOf(position));
  }
});

test('covers no position of another process, none that was never given, and none before events were lost', () => {
  const journal = eventJournal();
  const position = journal.add(sender('a')({}));
  for (const unknown of [
    eventJournal().position(),
    '',
    '.',
    position.replace(/\.\d+_/, '.2_'),
    position.replace(/\.\d+_/, '.1x_'),
    'x'.repeat(700),
  ]) {
    expect(journal.covers(unknown), unknown).toBe(false);
  }
  journal.forget();
  expect(journal.covers(position)).toBe(false);
  expect(journal.covers(journal.position())).toBe(true);
});

test('a stream continues on another process with what it has not received, unless one of both may have missed something', () => {
  const [here, there] = [eventJournal(20), eventJournal(20)];
  const [one, other] = [sender('a'), sender('b')];
  const both = (batch: NumberedBatch) => [here.add(batch), there.add(batch)][0]!;
  const device = (id: number): EventBatch => ({ 'device.state': [[id, null, null]] });
  both(one(device(1)));
  const position = both(other(device(2)));
  // The processes receive the same batches in different orders.
  const [third, fourth] = [one(device(3)), other(device(4))];
  for (const batch of [third, fourth]) here.add(batch);
  for (const batch of [fourth, third]) there.add(batch);
  there.add({ source: 'b', number: null, events: { 'issue.entries': [[9, null, place]] } });
  expect(there.covers(position)).toBe(true);
  expect(there.since(position)).toEqual({
    'device.state': [
      [4, null, null],
      [3, null, null],
    ],
    'issue.entries': [[9, null, place]],
  });

  // Rights have changed: what was loaded before may have had other limits.
  there.forget();
  expect(there.covers(here.position())).toBe(false);
  both(one(device(5)));
  expect(there.covers(here.position())).toBe(false);
  both(other(device(6)));
  expect(there.covers(here.position())).toBe(true);

  // A batch is missing here, so positions before it are unknown, and too old ones are, too.
  const before = both(one(device(7)));
  one(device(8));
  there.add(one(device(9)));
  expect(there.covers(before)).toBe(false);
  const old = both(one(device(10)));
  for (let id = 11; id < 60; id += 1) both(one(device(id)));
  expect(there.covers(old)).toBe(false);
  expect(there.covers(both(other(device(60))))).toBe(true);
  // A process that has just started has received nothing of the others.
  expect(eventJournal().covers(here.position())).toBe(false);
});
