import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type ConnectorFaults,
  concernsFault,
  explainsFault,
  faultsAfterAlarm,
  faultsAfterStatus,
} from './generic-faults.ts';

test.each([
  ['fault', 'OA', true],
  ['fault', 'CA', true],
  ['alarm', 'CA', true],
  ['alarm', 'MA', false],
  ['alarm', 'OA', false],
  ['unavailable', 'OA', false],
] as const)('an alarm of kind %s and level %s explains why a connector is faulted: %s', (kind, level, explains) => {
  expect(explainsFault({ kind, level })).toBe(explains);
});

test.each([
  ['the connector itself', 257, 257, true],
  ['the EVSE of the connector', 32_513, 257, true],
  ['the EVSE of its first connector', 32_513, 1, true],
  ['another EVSE', 32_514, 257, false],
  ['the first connector of the same EVSE', 1, 257, false],
  ['a further connector of the same EVSE', 257, 1, false],
  ['the station', 0, 1, false],
  ['the station itself', 0, 0, true],
])('an alarm about %s concerns the fault: at %s, fault at %s', (_, alarmAt, faultAt, concerns) => {
  expect(concernsFault(alarmAt, faultAt)).toBe(concerns);
});

const NOTHING: ConnectorFaults = { generic: false, reported: new Set() };

test.each([
  ['faulted, without a specific alarm', ['faulted'], true, []],
  ['faulted, then explained', ['faulted', '+E1'], false, ['E1']],
  ['told why, then faulted', ['+E1', 'faulted'], false, ['E1']],
  ['two reasons', ['faulted', '+E1', '+E2'], false, ['E1', 'E2']],
  ['explained, cleared, and still faulted', ['faulted', '+E1', '-E1'], false, []],
  ['explained, cleared, and faulted again', ['faulted', '+E1', '-E1', 'faulted'], true, []],
  ['told, works again, still told', ['faulted', '+E1', 'works'], false, ['E1']],
  ['faulted, works again', ['faulted', 'works'], false, []],
  ['the end of an alarm that was never raised', ['faulted', '-E1'], true, []],
])('%s', (_, words, generic, reported) => {
  expect(words.reduce(after, NOTHING)).toEqual({ generic, reported: new Set(reported) });
});

test('in any order, there is never a generic alarm next to a specific one, and both end', () => {
  const word = fc.constantFrom('faulted', 'works', '+E1', '-E1', '+E2', '-E2');
  fc.assert(
    fc.property(fc.array(word, { maxLength: 30 }), (words) => {
      let trouble = NOTHING;
      for (const one of words) {
        trouble = after(trouble, one);
        expect(trouble.generic && trouble.reported.size > 0).toBe(false);
      }
      expect(['-E1', '-E2', 'works'].reduce(after, trouble)).toEqual(NOTHING);
    }),
  );
});

function after(trouble: ConnectorFaults, word: string): ConnectorFaults {
  if (word === 'faulted' || word === 'works') return faultsAfterStatus(trouble, word === 'faulted');
  return faultsAfterAlarm(trouble, word.slice(1), word.startsWith('+'));
}
