import type { ParameterRow } from '@chargehand/contract';
import { describe, expect, it } from 'vitest';
import { isOver, linesOf, parameterObstacle, shownParameter } from './parameter-state.ts';

const item = (groupId: number): NonNullable<ParameterRow['item']> => ({
  ...{ dataItemId: 1, key: 'Key', name: { en: 'Key', zh: '键' }, type: 1, range: '0~10', unit: 's', priority: 1 },
  ...{ groupId, groupName: { en: `Group ${groupId}`, zh: '组' }, readLevel: 5, writeLevel: 3, batch: true, origin: 1 },
});
const row = (key: string, of: ParameterRow['item']): ParameterRow => ({
  ...{ key, value: '1', readonly: false, readAt: null, secret: false, item: of, documentId: null, may: { set: true } },
});

describe('the lines of the parameter table', () => {
  it('have the headings of their groups, parameters that are not in the model at the end', () => {
    const lines = linesOf([row('A', item(1)), row('B', item(1)), row('C', item(2)), row('D', null)]);
    expect(lines.map((line) => (line.kind === 'group' ? (line.name?.en ?? null) : line.key))).toEqual([
      ...['Group 1', 'A', 'B', 'Group 2', 'C', null, 'D'],
    ]);
  });
  it('have no headings without a description', () => {
    expect(linesOf([row('A', null), row('B', null)]).map(({ kind }) => kind)).toEqual(['parameter', 'parameter']);
  });
});

it.each([
  [{ enabled: true, connected: true }, true, null],
  [{ enabled: true, connected: false }, true, 'offline'],
  [{ enabled: false, connected: false }, true, 'disabled'],
  [{ enabled: false, connected: false }, false, 'noPermission'],
] as const)('%j, may %j: %j', (device, may, obstacle) => expect(parameterObstacle(device, may)).toBe(obstacle));

it.each([
  [null, null, null],
  [null, '5', { text: '5', unit: '' }],
  [item(1), '5', { text: '5', unit: 's', problem: null }],
  [item(1), '50', { text: '50', problem: { fault: 'valueTooLarge' } }],
])('%j: %j is shown as %j', (of, value, expected) => {
  const shown = shownParameter(of, value, 'en');
  if (expected === null) expect(shown).toBeNull();
  else expect(shown).toMatchObject(expected);
});

it.each([
  ['queued', null, false],
  ['ended', null, true],
  ['ended', { state: 'pending', value: null }, false],
  ['ended', { state: 'same', value: null }, true],
] as const)('%s, read back %j: ended after %j', (state, verification, over) => {
  expect(isOver({ state, verification })).toBe(over);
});
