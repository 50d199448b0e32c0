import type { AlarmRow, DeviceEventRow } from '@chargehand/contract';
import { expect, test } from 'vitest';
import { type Filters, withNewEvents, withOpenAlarms } from './patch-alarms.ts';

/** `7 CA 12:30`: alarm 7 of device 70, of level CA, raised at 12:30. */
function alarm(text: string, values: Partial<AlarmRow> = {}): AlarmRow {
  const [id, level, time] = text.split(' ');
  return {
    ...({ id: Number(id), deviceId: Number(id) * 10, level, raisedAt: `2026-11-22T${time}:00.000Z` } as AlarmRow),
    ...{ kind: 'fault', suppressed: false, acknowledgedAt: null, siteId: 1 },
    ...values,
  };
}

const LIST = ['3 CA 12:30', '2 OA 12:20', '1 MA 12:10'];
const open = { state: 'open' } as const;

test.each([
  ['a new alarm is first', open, [[40, ['4 OA 12:40']]], '4 3 2 1'],
  ['an alarm that ended is gone', open, [[20, []]], '3 1'],
  ['an alarm that was raised again moves', open, [[10, ['1 MA 12:50']]], '1 3 2'],
  ['the worst is first', { ...open, sort: '-level' }, [[40, ['4 OA 12:40']]], '3 1 4 2'],
  ['a short list stays short', { ...open, limit: 3 }, [[40, ['4 OA 12:40']]], '4 3 2'],
  ['an alarm of another kind is not shown', { ...open, kind: 'alarm' }, [[40, ['4 OA 12:40']]], '3 2 1'],
  ['nor one that was acknowledged', { ...open, acknowledged: true }, [[40, ['4 OA 12:40']]], '3 2 1'],
  ['nor one of another site', { ...open, siteId: 2 }, [[40, ['4 OA 12:40']]], '3 2 1'],
  ['one of this site is', { ...open, siteId: 1 }, [[40, ['4 OA 12:40']]], '4 3 2 1'],
  ['what ended is listed by the server', { state: 'cleared' }, [[40, ['4 OA 12:40']]], null],
  ['as are the alarms of a customer, which they do not name', { ...open, customerId: 1 }, [[40, []]], null],
  ['and the oldest first', { ...open, sort: 'raisedAt' }, [[40, []]], null],
] as const)('%s', (_title, query, changes, expected) => {
  const cached = {
    items: LIST.toSorted()
      .toReversed()
      .map((text) => alarm(text)),
    next: null,
  };
  const given = new Map(changes.map(([id, texts]) => [id as number, texts.map((text) => alarm(text))]));
  const patched = withOpenAlarms(cached, given, query as Filters);
  expect(patched && 'items' in patched ? patched.items.map(({ id }) => id).join(' ') : patched).toBe(expected);
});

test('alarms after the end of the loaded part are not shown before it is loaded', () => {
  const stretch = { items: LIST.map((text) => alarm(text)), next: '0_1_1' };
  const changes = new Map([
    [50, [alarm('5 OA 12:01')]],
    [60, [alarm('6 OA 12:15')]],
  ]);
  const patched = withOpenAlarms({ pages: [stretch], pageParams: [null] }, changes, open);
  expect(patched && 'pages' in patched && patched.pages[0]?.items.map(({ id }) => id)).toEqual([3, 2, 6, 1]);
  expect(withOpenAlarms({ pages: [stretch, stretch], pageParams: [null, '0_1_1'] }, changes, open)).toBeNull();
});

const event = (id: number, values: Partial<DeviceEventRow> = {}) =>
  ({ ...{ id, deviceId: 1, siteId: 4, type: 2, at: `2026-01-01T00:00:${20 + id}.000Z` }, ...values }) as DeviceEventRow;
const idsOf = (list: ReturnType<typeof withNewEvents>) =>
  list && 'items' in list ? list.items.map(({ id }) => id) : null;

const TEN = [10, 9, 8, 7, 6, 5, 4, 3, 2, 1];

test.each<[string, Parameters<typeof withNewEvents>[2], DeviceEventRow[], number[] | null]>([
  [
    'are added before the others, at most as many as the list has',
    {},
    [event(12), event(11)],
    [12, 11, ...TEN.slice(0, 8)],
  ],
  ['take the place of what was known of them', {}, [event(3, { endedAt: 'now' })], TEN],
  ['belong to the list if they match its filter', { siteId: 9 }, [event(12)], TEN],
  ['that are older than the list do not belong to it', {}, [event(0)], TEN],
  ['do not show whether they belong to a customer', { customerId: 2 }, [event(12)], null],
  ['do not show whether they belong to a period', { from: '2026-01-01' }, [event(12)], null],
])('new events %s', (_, filters, found, ids) => {
  const list = { items: TEN.map((id) => event(id)), next: '1' };
  expect(idsOf(withNewEvents(list, new Map([[1, found]]), { limit: 10, ...filters }))).toEqual(ids);
});
