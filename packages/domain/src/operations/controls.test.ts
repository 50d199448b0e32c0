import { expect, test } from 'vitest';
import type { CommandKind } from './commands.ts';
import { type ControlItem, commandLevels, controlOf, kindsOf, unmetPrecondition } from './controls.ts';

const item = (type: number, more: Partial<ControlItem> = {}): ControlItem => ({
  type,
  level: 4,
  reading: null,
  precondition: null,
  ...more,
});
const described = (...controls: ControlItem[]) => ({ version: 3, controls });
const undescribed = { version: 0, controls: [] };

test.each<[string, Parameters<typeof controlOf>[0], CommandKind, ControlItem | 'standard' | null]>([
  ['a model without a description has the standard set', undescribed, 'softReset', 'standard'],
  ['and nothing vendor-specific', undescribed, 'restartCcu', null],
  ['a described model has the controls that it defines', described(item(8), item(2)), 'hardReset', item(2)],
  ['and no others', described(item(2)), 'softReset', null],
  ['controls of links are no commands of users', described(item(7)), 'startVpn', null],
  ['one item covers both directions', described(item(3)), 'enableSystem', item(3)],
  [
    'type 9 with the meaning of the item',
    described(item(9, { reading: 'restartCcu' })),
    'restartCcu',
    item(9, { reading: 'restartCcu' }),
  ],
  ['and not with the other one', described(item(9, { reading: 'refreshConfiguration' })), 'restartCcu', null],
  [
    'parameters can be read whatever type 9 means',
    described(item(9, { reading: 'restartCcu' })),
    'refreshConfiguration',
    'standard',
  ],
  ['and set whatever the model defines', described(item(1)), 'setParameter', 'standard'],
])('%s', (_, offer, kind, expected) => {
  expect(controlOf(offer, kind)).toEqual(expected);
});

test.each([
  [item(1), ['softReset']],
  [item(4), ['disableConnector', 'enableConnector']],
  [item(9, { reading: 'restartCcu' }), ['restartCcu']],
  [item(9, { reading: 'refreshConfiguration' }), ['refreshConfiguration']],
  [item(11), ['setParameter']],
])('%o has the commands %j', (control, kinds) => {
  expect(kindsOf(control)).toEqual(kinds);
});

test('a control requires its own level, parameters require theirs', () => {
  const model = { parameterRead: 5, parameterWrite: 2, control: 4 } as const;
  const last = (...required: Parameters<typeof commandLevels>) => commandLevels(...required).at(-1);
  expect(last(model, 'hardReset', item(2, { level: 3 }))).toEqual({ area: 'device', verb: 'write', level: 3 });
  expect(last(model, 'hardReset', 'standard')).toEqual({ area: 'device', verb: 'write', level: 4 });
  expect(last(model, 'setParameter', item(11, { level: 3 }))).toEqual({ area: 'params', verb: 'write', level: 2 });
  expect(commandLevels(model, 'sendMessage', item(17, { level: 5 }))).toEqual(
    expect.arrayContaining([
      { area: 'params', verb: 'read', level: 5 },
      { area: 'params', verb: 'write', level: 2 },
      { area: 'device', verb: 'write', level: 5 },
    ]),
  );
  expect(last(model, 'refreshParameters', null)).toEqual({ area: 'params', verb: 'read', level: 5 });
});

test.each([
  [null, { session: true, maintenance: false }, null],
  ['noSession', { session: false, maintenance: false }, null],
  ['noSession', { session: true, maintenance: true }, 'sessionInProgress'],
  ['maintenance', { session: true, maintenance: true }, null],
  ['maintenance', { session: false, maintenance: false }, 'maintenanceNeeded'],
] as const)('precondition %s with %j: %s', (precondition, facts, expected) => {
  expect(unmetPrecondition(precondition, facts)).toBe(expected);
});
