import { expect, test } from 'vitest';
import type { ListEntry } from '../../ports/devices/token-lists.ts';
import { LIST_DIALECT as OCPP16 } from '../ocpp16/token-list.ts';
import { LIST_DIALECT as OCPP201 } from '../ocpp201/tokens/token-list.ts';
import { type ListDialect, tokenListPlan } from './token-list.ts';

const UNTIL = '2030-01-01T00:00:00.000Z';
const entry = (value: string, more: Partial<ListEntry> = {}): ListEntry => ({
  ...{ value, type: 'ISO14443', status: 'Accepted', group: null, until: null, ...more },
});
const LIST = [
  entry('A', { group: 'FLEET', until: UNTIL }),
  entry('b', { status: 'Blocked' }),
  entry('GONE', { status: null }),
  entry('x'.repeat(21)),
  entry('VIN', { type: 'VIN', status: null }),
  // Only the last change of a token counts, whatever its case.
  entry('B', { status: null }),
];

test.each<[string, ListDialect, object]>([
  [
    'OCPP 1.6',
    OCPP16,
    {
      listVersion: 7,
      updateType: 'Full',
      localAuthorizationList: [
        { idTag: 'A', idTagInfo: { status: 'Accepted', parentIdTag: 'FLEET', expiryDate: UNTIL } },
        { idTag: 'B' },
        { idTag: 'GONE' },
        { idTag: 'VIN' },
      ],
    },
  ],
  [
    'OCPP 2.0.1',
    OCPP201,
    {
      versionNumber: 7,
      updateType: 'Full',
      localAuthorizationList: [
        {
          idToken: { idToken: 'A', type: 'ISO14443' },
          idTokenInfo: {
            status: 'Accepted',
            groupIdToken: { idToken: 'FLEET', type: 'Central' },
            cacheExpiryDateTime: UNTIL,
          },
        },
        { idToken: { idToken: 'B', type: 'ISO14443' } },
        { idToken: { idToken: 'GONE', type: 'ISO14443' } },
        { idToken: { idToken: 'x'.repeat(21), type: 'ISO14443' }, idTokenInfo: { status: 'Accepted' } },
      ],
    },
  ],
])('a list as %s writes it', (_, dialect, payload) => {
  const plan = tokenListPlan(dialect, { do: 'send', full: true, version: 7, entries: LIST });
  expect(plan).toMatchObject({ action: 'SendLocalList' });
  expect(plan?.payload).toEqual(payload);
  expect(plan?.logged).toBeUndefined();
  const empty = tokenListPlan(dialect, { do: 'send', full: false, version: 8, entries: [] });
  expect(empty?.payload).toMatchObject({ updateType: 'Differential' });
  expect(empty?.payload).not.toHaveProperty('localAuthorizationList');
});

test('a long list is sent completely, and shortened in the protocol log', () => {
  const entries = Array.from({ length: 30 }, (_, n) => entry(`T${n}`));
  const plan = tokenListPlan(OCPP16, { do: 'send', full: true, version: 1, entries });
  const length = (of: object | undefined) =>
    (of as { localAuthorizationList: unknown[] }).localAuthorizationList.length;
  expect([length(plan?.payload), length(plan?.logged?.payload)]).toEqual([30, 20]);
  expect(plan?.logged?.note).toBe('the message had 30 entries; the last 10 are not stored');
});
