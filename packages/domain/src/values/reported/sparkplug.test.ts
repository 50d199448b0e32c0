import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type EdgeAction,
  type EdgeMessage,
  type EdgeState,
  HELD_LIMIT,
  overdueEdge,
  REBIRTH_EVERY_MS,
  REORDER_MS,
  takeEdgeMessage,
  unknownEdge,
} from './sparkplug.ts';

/** Plays messages one millisecond apart and returns their results, with `rebirth` where a rebirth was requested. */
function play(messages: readonly EdgeMessage[], from = unknownEdge()): { state: EdgeState; story: string[] } {
  let state = from;
  const story: string[] = [];
  messages.forEach((message, index) => {
    const step = takeEdgeMessage(state, message, index);
    state = step.state;
    story.push(...step.taken.map(({ message: one, action }) => `${one.type} ${action}`));
    if (step.rebirthNeeded) story.push('rebirth');
  });
  return { state, story };
}

const birth = (bdSeq: number | null = 0, seq: number | null = 0): EdgeMessage => ({ type: 'NBIRTH', seq, bdSeq });
const death = (bdSeq: number | null = 0): EdgeMessage => ({ type: 'NDEATH', bdSeq });
const data = (seq: number | null): EdgeMessage => ({ type: 'NDATA', seq });
const device = (type: 'DBIRTH' | 'DDATA' | 'DDEATH', seq: number, name = 'a'): EdgeMessage => ({
  ...{ type, seq, device: name },
});

describe('an edge node', () => {
  test.each<[string, EdgeMessage[], string[]]>([
    ['is trusted after its birth', [birth(), data(1), data(2)], ['NBIRTH session', 'NDATA data', 'NDATA data']],
    ['without a birth is requested to send one, once', [data(7), data(8)], ['NDATA unborn', 'rebirth', 'NDATA unborn']],
    ['is dead after the death of its birth', [birth(3), death(3)], ['NBIRTH session', 'NDEATH died']],
    [
      'ignores the death of an earlier birth',
      [birth(4), death(3), data(1)],
      ['NBIRTH session', 'NDEATH late', 'NDATA data'],
    ],
    [
      'is unknown after its death',
      [birth(), death(), data(1)],
      ['NBIRTH session', 'NDEATH died', 'NDATA unborn', 'rebirth'],
    ],
    [
      'may send another birth within its session',
      [birth(1), data(1), birth(1), data(1)],
      ['NBIRTH session', 'NDATA data', 'NBIRTH reborn', 'NDATA data'],
    ],
    ['with another number starts another session', [birth(1), birth(2)], ['NBIRTH session', 'NBIRTH session']],
    ['continues with 0 after 255', [birth(0, 254), data(255), data(0)], ['NBIRTH session', 'NDATA data', 'NDATA data']],
    [
      'whose message is repeated while it is held has it once',
      [birth(), data(2), data(2), data(1)],
      ['NBIRTH session', 'NDATA late', 'NDATA data', 'NDATA data'],
    ],
    ['takes a number that is half of all ahead for a late one', [birth(), data(129)], ['NBIRTH session', 'NDATA late']],
    ['holds a message with a lower number than that', [birth(), data(128)], ['NBIRTH session']],
    [
      'whose messages are swapped is put in order',
      [birth(), data(2), data(3), data(1)],
      ['NBIRTH session', 'NDATA data', 'NDATA data', 'NDATA data'],
    ],
    [
      'that repeats a message is processed once',
      [birth(), data(1), data(1)],
      ['NBIRTH session', 'NDATA data', 'NDATA late'],
    ],
    [
      'without sequence numbers is processed as received',
      [birth(null, null), data(null), data(null)],
      ['NBIRTH session', 'NDATA data', 'NDATA data'],
    ],
    [
      'has devices with their own births',
      [birth(), device('DDATA', 1), device('DBIRTH', 2), device('DDATA', 3)],
      ['NBIRTH session', 'DDATA unborn', 'rebirth', 'DBIRTH deviceBorn', 'DDATA data'],
    ],
    [
      'whose dead device sends data is requested to send births',
      [birth(), device('DBIRTH', 1), device('DDEATH', 2), device('DDATA', 3)],
      ['NBIRTH session', 'DBIRTH deviceBorn', 'DDEATH deviceDied', 'DDATA unborn', 'rebirth'],
    ],
    [
      'has no devices after another birth until they send theirs',
      [birth(), device('DBIRTH', 1), birth(), device('DDATA', 1)],
      ['NBIRTH session', 'DBIRTH deviceBorn', 'NBIRTH reborn', 'DDATA unborn', 'rebirth'],
    ],
  ])('%s', (_name, messages, story) => {
    expect(play(messages).story).toEqual(story);
  });

  test('that does not answer about a missing message is requested to send its births, and trusted again after them', () => {
    const { state } = play([birth(), data(2), data(3)]);
    expect(overdueEdge(state, REORDER_MS).taken).toEqual([]);
    const late = overdueEdge(state, REORDER_MS + 1);
    expect(late).toMatchObject({ rebirthNeeded: true, taken: [{ action: 'missing' }, { action: 'missing' }] });
    expect(play([data(4), birth(), data(1)], late.state).story).toEqual([
      'NDATA unborn',
      'NBIRTH reborn',
      'NDATA data',
    ]);
  });

  test('is requested again when it does not respond', () => {
    const now = Date.parse('2026-03-01T12:00:00Z');
    const first = takeEdgeMessage(unknownEdge(), data(1), now);
    expect(takeEdgeMessage(first.state, data(2), now + REBIRTH_EVERY_MS - 1).rebirthNeeded).toBe(false);
    expect(takeEdgeMessage(first.state, data(2), now + REBIRTH_EVERY_MS).rebirthNeeded).toBe(true);
  });

  test('cannot fill the memory with early messages', () => {
    const { state, story } = play([birth(), ...Array.from({ length: HELD_LIMIT + 1 }, (_, index) => data(index + 2))]);
    expect(state.held).toEqual([]);
    expect(story.at(-1)).toBe('rebirth');
  });
});

/** A message of a conforming edge node, with its position in the order of sending and the devices born at that time. */
type Sent = EdgeMessage & { place: number; session: number; begins: number; born: ReadonlySet<string> };

/** The messages of a conforming edge node for a sequence of actions. */
function edgeNode(actions: readonly string[]): Sent[] {
  const sent: Sent[] = [];
  let bdSeq = 0;
  let seq = 0;
  let begins = 0;
  let born = new Set<string>();
  const send = (message: EdgeMessage) =>
    sent.push({ ...message, place: sent.length, session: bdSeq, begins, born: new Set(born) });
  const next = () => {
    seq = (seq + 1) % 256;
    return seq;
  };
  const beBorn = () => {
    seq = 0;
    born = new Set();
    begins = sent.length;
    send({ type: 'NBIRTH', seq, bdSeq });
  };
  beBorn();
  for (const action of actions) {
    const name = action.slice(1);
    if (action === 'data') send({ type: 'NDATA', seq: next() });
    else if (action === 'rebirth') beBorn();
    else if (action === 'restart') {
      send({ type: 'NDEATH', bdSeq });
      bdSeq = (bdSeq + 1) % 256;
      beBorn();
    } else if (action.startsWith('+')) {
      born.add(name);
      send({ type: 'DBIRTH', seq: next(), device: name });
    } else if (born.has(name)) {
      if (action.startsWith('-')) {
        send({ type: 'DDEATH', seq: next(), device: name });
        born.delete(name);
      } else send({ type: 'DDATA', seq: next(), device: name });
    }
  }
  return sent;
}

const actions = fc.array(fc.constantFrom('data', 'data', 'rebirth', 'restart', '+a', '+b', '-a', '-b', '.a', '.b'), {
  maxLength: 120,
});

type Taken = { message: Sent; action: EdgeAction };

/** Processes messages at their times, and overdue ones in between, as a gateway does. */
function receiveAll(arrivals: readonly { message: Sent; at: number }[]): { taken: Taken[]; rebirths: number[] } {
  let state = unknownEdge<Sent>();
  const taken: Taken[] = [];
  const rebirths: number[] = [];
  for (const { message, at } of arrivals) {
    for (const step of [overdueEdge(state, at), null]) {
      const one = step ?? takeEdgeMessage(state, message, at);
      state = one.state;
      taken.push(...one.taken);
      if (one.rebirthNeeded) rebirths.push(at);
    }
  }
  return { taken, rebirths };
}

describe('whatever happens on the connection', () => {
  test('without losses, everything is processed once and in order, even if adjacent messages are swapped', () => {
    fc.assert(
      fc.property(actions, fc.array(fc.boolean()), (done, swaps) => {
        const sent = edgeNode(done);
        const order = [...sent];
        for (let at = 1; at + 1 < order.length; at += 2) {
          const [one, other] = [order[at]!, order[at + 1]!];
          // Across a birth or death, nothing shows which message was sent first.
          const numbered = [one, other].every(({ type }) => type !== 'NBIRTH' && type !== 'NDEATH');
          if (swaps[at] && numbered) [order[at], order[at + 1]] = [other, one];
        }
        const { taken, rebirths } = receiveAll(order.map((message, at) => ({ message, at })));
        expect(taken.map(({ message }) => message.place)).toEqual(sent.map(({ place }) => place));
        expect(taken.every(({ action }) => !['late', 'unborn', 'missing'].includes(action))).toBe(true);
        expect(rebirths).toEqual([]);
      }),
    );
  });

  test('processed messages follow their birth without a gap, come from born devices, and none is processed twice between two births', () => {
    const delivery = fc.record({ lost: fc.boolean(), twice: fc.boolean(), delay: fc.integer({ min: 0, max: 4_000 }) });
    fc.assert(
      fc.property(actions, fc.array(delivery, { minLength: 121, maxLength: 121 }), (done, deliveries) => {
        const sent = edgeNode(done);
        const arrivals = sent.flatMap((message, index): { message: Sent; at: number }[] => {
          const { lost, twice, delay } = deliveries[index % deliveries.length]!;
          // Births of the node eventually arrive; everything else depends on the connection.
          if (message.type === 'NBIRTH') return [{ message, at: index * 1_000 }];
          if (lost) return [];
          const once = { message, at: index * 1_000 + delay };
          return twice ? [once, { message, at: once.at + 10 }] : [once];
        });
        arrivals.sort((one, other) => one.at - other.at);
        const { taken } = receiveAll(arrivals);
        let expected = 0;
        let begins = -1;
        let believed = new Set<number>();
        for (const { message, action } of taken) {
          if (action === 'session' || action === 'reborn') {
            begins = message.place;
            expected = message.place + 1;
            // Numbers restart with a birth, so a message processed before it cannot be distinguished by number from its
            // copy.
            believed = new Set();
          } else if (action === 'data' || action === 'deviceBorn' || action === 'deviceDied') {
            if (message.type === 'DDATA') expect(message.born.has(message.device)).toBe(true);
            expect(believed.has(message.place)).toBe(false);
            believed.add(message.place);
            // A copy from before the last birth has a matching number only by chance. The product does not need to
            // detect it.
            if (message.begins === begins) {
              expect(message.place).toBeGreaterThanOrEqual(expected);
              expected = message.place + 1;
            }
          } else if (action === 'died') expect(message.session).toBe(sent[begins]!.session);
        }
      }),
    );
  });

  test('a birth restores the state', () => {
    const any = fc.oneof(
      fc.record({ type: fc.constant('NDATA' as const), seq: fc.integer({ min: 0, max: 255 }) }),
      fc.record({ type: fc.constant('NDEATH' as const), bdSeq: fc.integer({ min: 0, max: 3 }) }),
      fc.record({
        ...{ type: fc.constant('NBIRTH' as const), seq: fc.integer({ min: 0, max: 255 }) },
        bdSeq: fc.integer({ min: 0, max: 3 }),
      }),
      fc.record({
        type: fc.constantFrom('DBIRTH' as const, 'DDATA' as const, 'DDEATH' as const),
        ...{ seq: fc.integer({ min: 0, max: 255 }), device: fc.constantFrom('a', 'b') },
      }),
    );
    fc.assert(
      fc.property(fc.array(any, { maxLength: 60 }), (noise) => {
        const { state } = play(noise);
        const { story } = play([birth(9), data(1), device('DBIRTH', 2), device('DDATA', 3)], state);
        expect(story.slice(-4)).toEqual(['NBIRTH session', 'NDATA data', 'DBIRTH deviceBorn', 'DDATA data']);
      }),
    );
  });
});
