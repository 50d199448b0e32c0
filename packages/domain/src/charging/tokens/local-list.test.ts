import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type KnownList,
  type ListCapability,
  type ListStep,
  listAnswered,
  listCapability,
  listDoubted,
  listPause,
  listReported,
  listSent,
  NO_LIST,
  nextListStep,
  type TargetList,
} from './local-list.ts';

test.each<[string, Record<string, string>, ReturnType<typeof listCapability>]>([
  ['nothing reported', {}, { perMessage: 100, atMost: null }],
  ['limits of 1.6', { SendLocalListMaxLength: '20', LocalAuthListMaxLength: '500' }, { perMessage: 20, atMost: 500 }],
  ['limits of 2.x', { 'LocalAuthListCtrlr.ItemsPerMessage': '10' }, { perMessage: 10, atMost: null }],
  [
    'a limit of bytes',
    { 'LocalAuthListCtrlr.ItemsPerMessage': '90', 'LocalAuthListCtrlr.BytesPerMessage': '8192' },
    { perMessage: 24, atMost: null },
  ],
  [
    'a limit of bytes that is hardly enough',
    { 'LocalAuthListCtrlr.BytesPerMessage': '300' },
    { perMessage: 1, atMost: null },
  ],
  ['a limit beyond ours', { SendLocalListMaxLength: '90000' }, { perMessage: 400, atMost: null }],
  ['a limit that is none', { SendLocalListMaxLength: '0' }, { perMessage: 100, atMost: null }],
  ['without the profile', { SupportedFeatureProfiles: 'Core,RemoteTrigger' }, 'unsupported'],
  ['with the profile', { SupportedFeatureProfiles: 'Core,LocalAuthListManagement' }, { perMessage: 100, atMost: null }],
  ['switched off', { LocalAuthListEnabled: 'false' }, 'off'],
  ['switched off in 2.x', { 'LocalAuthListCtrlr.Enabled': 'False' }, 'off'],
  ['not available in 2.x', { 'LocalAuthListCtrlr.Available': 'false' }, 'unsupported'],
])('the capability of a device: %s', (_, reported, expected) => {
  const lower = Object.entries(reported).map(([key, value]) => [key.toLowerCase(), value] as const);
  expect(listCapability(new Map(lower))).toEqual(expected);
});

/** A book of tokens with revisions, as the database keeps it. */
class Book {
  revision = 0;
  place = 'c1/s1';
  tokens = new Map<number, { value: string; revision: number }>();
  removed: { value: string; revision: number }[] = [];
  forgotten = 0;
  set(id: number, value: string) {
    const before = this.tokens.get(id);
    if (before && before.value !== value) this.removed.push({ value: before.value, revision: ++this.revision });
    this.tokens.set(id, { value, revision: ++this.revision });
  }
  remove(id: number) {
    const before = this.tokens.get(id);
    if (!before) return;
    this.tokens.delete(id);
    this.removed.push({ value: before.value, revision: ++this.revision });
  }
  changesAfter(revision: number) {
    const set = [...this.tokens.values()]
      .filter((one) => one.revision > revision)
      .map((one) => ({ ...one, gone: false }));
    const gone = this.removed.filter((one) => one.revision > revision).map((one) => ({ ...one, gone: true }));
    return [...set, ...gone].sort((a, b) => a.revision - b.revision);
  }
  wanted(known: KnownList): TargetList {
    const changes = known.revision === null ? 0 : this.changesAfter(known.revision).length;
    return {
      place: this.place,
      revision: this.revision,
      entries: this.tokens.size,
      changes,
      forgotten: this.forgotten,
    };
  }
}

/** A device with a list, which checks versions as the standard demands. */
class Device {
  version = 0;
  list = new Map<string, number>();
  take(
    kind: 'full' | 'differential',
    version: number,
    entries: { value: string; gone: boolean }[],
  ): 'accepted' | 'mismatch' {
    if (kind === 'differential' && version <= this.version) return 'mismatch';
    if (kind === 'full') this.list.clear();
    for (const { value, gone } of entries) {
      if (gone) this.list.delete(value);
      else this.list.set(value, version);
    }
    this.version = version;
    return 'accepted';
  }
  forget() {
    this.version = 0;
    this.list.clear();
  }
}

type Delivery = 'arrives' | 'answerLost' | 'requestLost' | 'fails';

/** Sends the next message, with this delivery. Returns the new state, and whether anything was to do. */
function step(
  book: Book,
  device: Device,
  known: KnownList,
  capability: ListCapability,
  delivery: Delivery,
): [KnownList, boolean] {
  const wanted = book.wanted(known);
  const next = nextListStep(known, wanted, capability);
  if (next.do === 'nothing') return [known, false];
  if (next.do === 'read') return [delivery === 'arrives' ? listReported(known, device.version) : known, true];
  const { entries, cursor, more } = contentOf(book, next, capability);
  expect(entries.length).toBeLessThanOrEqual(capability.perMessage);
  // The first message of a full list is full, the others add to it (OCPP 1.6 §5.15).
  const kind = next.do === 'full' && next.after === 0 ? 'full' : 'differential';
  const sent = listSent(known, next, { cursor, more }, wanted);
  if (delivery === 'requestLost') return [listAnswered(sent, 'lost'), true];
  if (delivery === 'fails') return [listAnswered(sent, 'failed'), true];
  const answer = device.take(kind, next.version, entries);
  return [listAnswered(sent, delivery === 'answerLost' ? 'lost' : answer), true];
}

function contentOf(book: Book, next: Extract<ListStep, { version: number }>, { perMessage, atMost }: ListCapability) {
  if (next.do === 'full') {
    const all = [...book.tokens].sort(([a], [b]) => a - b).slice(0, atMost ?? undefined);
    const rest = all.filter(([id]) => id > next.after);
    const part = rest.slice(0, perMessage);
    const entries = part.map(([, { value }]) => ({ value, gone: false }));
    return { entries, cursor: part.at(-1)?.[0] ?? next.after, more: rest.length > part.length };
  }
  const rest = book.changesAfter(next.after);
  const part = rest.slice(0, perMessage);
  return { entries: part, cursor: part.at(-1)?.revision ?? next.after, more: rest.length > part.length };
}

const event = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      type: fc.constant('set' as const),
      id: fc.integer({ min: 1, max: 12 }),
      value: fc.integer({ min: 1, max: 20 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('remove' as const), id: fc.integer({ min: 1, max: 12 }) }) },
  {
    weight: 8,
    arbitrary: fc.record({
      type: fc.constant('step' as const),
      delivery: fc.constantFrom<Delivery>('arrives', 'arrives', 'answerLost', 'requestLost', 'fails'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('boot' as const), forgets: fc.boolean() }) },
  {
    weight: 1,
    arbitrary: fc.record({ type: fc.constant('foreign' as const), version: fc.integer({ min: 1, max: 30 }) }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('move' as const), place: fc.constantFrom('c1/s1', 'c1/s2') }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('prune' as const) }) },
);

test('after lost answers, restarts, wrong versions and forgotten lists, the list is equal in the end', () => {
  fc.assert(
    fc.property(fc.array(event, { maxLength: 60 }), fc.integer({ min: 1, max: 5 }), (events, perMessage) => {
      const book = new Book();
      const device = new Device();
      const capability = { perMessage, atMost: null };
      let known = NO_LIST;
      for (const one of events) {
        if (one.type === 'set') {
          // Two tokens of a customer never have one value.
          if (![...book.tokens].some(([id, { value }]) => id !== one.id && value === `T${one.value}`))
            book.set(one.id, `T${one.value}`);
        } else if (one.type === 'remove') book.remove(one.id);
        else if (one.type === 'step') [known] = step(book, device, known, capability, one.delivery);
        else if (one.type === 'move') book.place = one.place;
        else if (one.type === 'prune') {
          book.removed = [];
          book.forgotten = book.revision;
        } else {
          // Another system changes the list only while the device is not connected here, so it is compared afterwards.
          if (one.type === 'foreign') {
            device.list = new Map([['FOREIGN', one.version]]);
            device.version = Math.max(device.version, known.sent?.version ?? 0) + one.version;
          } else if (one.forgets) device.forget();
          known = listDoubted(known);
        }
      }
      for (let rounds = 0, active = true; active; rounds += 1) {
        [known, active] = step(book, device, known, capability, 'arrives');
        expect(rounds).toBeLessThan(200);
        // A message whose answer never arrives is lost in the end.
        if (!active && known.sent !== null) {
          known = listAnswered(known, 'lost');
          active = true;
        }
      }
      expect([...device.list.keys()].sort()).toEqual([...book.tokens.values()].map(({ value }) => value).sort());
      expect(known.version).toBe(device.version);
    }),
    { numRuns: 400 },
  );
});

test('a change of one token sends only that one', () => {
  const book = new Book();
  const device = new Device();
  const capability = { perMessage: 2, atMost: null };
  for (let id = 1; id <= 7; id += 1) book.set(id, `T${id}`);
  let known = NO_LIST;
  for (let active = true; active; ) [known, active] = step(book, device, known, capability, 'arrives');
  book.set(3, 'T3b');
  const next = nextListStep(known, book.wanted(known), capability);
  expect(next).toMatchObject({ do: 'differential' });
  const { entries } = contentOf(book, next as Extract<ListStep, { version: number }>, capability);
  expect(entries.map(({ value, gone }) => [value, gone])).toEqual([
    ['T3', true],
    ['T3b', false],
  ]);
});

test('a device with room for fewer entries gets the first ones, and all of them again after a change', () => {
  const book = new Book();
  const device = new Device();
  const capability = { perMessage: 2, atMost: 3 };
  for (let id = 1; id <= 5; id += 1) book.set(id, `T${id}`);
  let known = NO_LIST;
  for (let active = true; active; ) [known, active] = step(book, device, known, capability, 'arrives');
  expect([...device.list.keys()]).toEqual(['T1', 'T2', 'T3']);
  book.remove(2);
  expect(nextListStep(known, book.wanted(known), capability)).toMatchObject({ do: 'full', after: 0 });
});

test('failures are repeated later and later', () => {
  expect([0, 1, 2, 3, 4, 9].map(listPause)).toEqual([0, 60_000, 300_000, 1_500_000, 7_200_000, 7_200_000]);
});
