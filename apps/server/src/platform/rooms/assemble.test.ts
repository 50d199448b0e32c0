import { expect, test } from 'vitest';
import { declareRoom, openingOrder, openRooms, type Parts, withNeeds } from './assemble.ts';

declare module './assemble.ts' {
  interface Parts {
    testA: string;
    testB: string;
    testC: string;
  }
}

type Name = 'testA' | 'testB' | 'testC';
type Spec = { name: string; needs?: Name[]; later?: Name[]; provides?: Name[] };

const a: Spec = { name: 'a', provides: ['testA'] };
const b: Spec = { name: 'b', needs: ['testA'], provides: ['testB'] };
const c: Spec = { name: 'c', needs: ['testB'], provides: ['testC'] };

const rooms = (specs: Spec[]) => specs.map((spec) => ({ needs: [], ...spec }));

test.each<[string, Spec[], string]>([
  ['rooms that need nothing keep their order', [c, { name: 'x' }, a, b].slice(1, 3), 'x a'],
  ['a room opens after the provider of its need', [c, b, a], 'a b c'],
  ['only needs change the order', [{ name: 'x' }, b, a], 'x a b'],
  ['a later need does not', [{ name: 'x', later: ['testA'] }, a], 'x a'],
  ['a part may need the room that uses it later', [{ ...a, later: ['testB'] }, b], 'a b'],
  ['nothing provides it', [b], 'The room "b" needs testA, which no room provides.'],
  ['two provide it', [a, { ...a, name: 'twin' }], 'Both "a" and "twin" provide testA.'],
  [
    'rooms need each other',
    [{ ...a, needs: ['testC'] }, b, c],
    'Rooms need each other: "a" needs "c" needs "b" needs "a". Make one of these parts `later`.',
  ],
  [
    'a room needs itself',
    [{ ...a, needs: ['testA'] }],
    'Rooms need each other: "a" needs "a". Make one of these parts `later`.',
  ],
])('the order of opening: %s', (_, specs, expected) => {
  const order = () => {
    try {
      return openingOrder(rooms(specs))
        .map(({ name }) => name)
        .join(' ');
    } catch (error) {
      return (error as Error).message;
    }
  };
  expect(order()).toBe(expected);
});

test('a subset has the rooms that provide its needs, but not those it needs later', () => {
  const all = rooms([{ name: 'other' }, c, { ...b, later: ['testC'] }, a]);
  expect(withNeeds(all, ['b']).map(({ name }) => name)).toEqual(['b', 'a']);
  expect(() => withNeeds(all, ['d'])).toThrow('There is no room "d".');
});

test('rooms are opened by their needs and returned in the order in which they start', async () => {
  const calls: string[] = [];
  const last = declareRoom({
    name: 'last',
    needs: ['log'],
    later: ['testA'],
    provides: ['testB'],
    open: ({ testA }) => ({ testB: 'B', start: () => void calls.push(testA()) }),
  });
  const first = declareRoom({
    name: 'first',
    needs: ['testB'],
    provides: ['testA'],
    open: ({ testB }) => ({ testA: `A after ${testB}` }),
  });
  const given = { log: {} as Parts['log'] };
  const opened = await openRooms([first, last], given);
  expect(opened.rooms.map(({ name }) => name)).toEqual(['first', 'last']);
  expect(opened.parts).toMatchObject({ testA: 'A after B', testB: 'B' });
  await opened.rooms[1]!.start?.();
  expect(calls).toEqual(['A after B']);
  // @ts-expect-error nothing provides testB
  await expect(openRooms([first], given)).rejects.toThrow('needs testB, which no room provides');
});

test('if a room cannot be opened, the opened ones are stopped in reverse order', async () => {
  const calls: string[] = [];
  const opens = (name: string) =>
    declareRoom({ name, needs: [], open: () => ({ stop: () => void calls.push(`stop ${name}`) }) });
  const fails = declareRoom({ name: 'fails', needs: [], open: () => Promise.reject(new Error('no space')) });
  await expect(openRooms([opens('a'), opens('b'), fails, opens('c')], {})).rejects.toThrow('no space');
  expect(calls).toEqual(['stop b', 'stop a']);
});

test('a part that is needed later cannot be used before it is open', async () => {
  const early = declareRoom({
    name: 'early',
    needs: [],
    later: ['testA'],
    open: ({ testA }) => ({ start: () => void testA() }),
  });
  const user = declareRoom({
    ...{ name: 'user', needs: [], later: ['testA'] },
    open({ testA }) {
      testA();
      return {};
    },
  });
  const provider = declareRoom({ name: 'provider', needs: [], provides: ['testA'], open: () => ({ testA: '' }) });
  await expect(openRooms([user, early, provider], {})).rejects.toThrow(
    'The room "user" used testA, which is not open.',
  );
});
