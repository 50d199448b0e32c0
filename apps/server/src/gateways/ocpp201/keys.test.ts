import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Component, readKey, type Variable, variableKey } from './keys.ts';

test.each<[Component, Variable, string]>([
  [{ name: 'OCPPCommCtrlr' }, { name: 'HeartbeatInterval' }, 'OCPPCommCtrlr.HeartbeatInterval'],
  [{ name: 'EVSE', evse: { id: 1 } }, { name: 'Power' }, 'EVSE@1.Power'],
  [{ name: 'Connector', evse: { id: 1, connectorId: 2 } }, { name: 'ConnectorType' }, 'Connector@1.2.ConnectorType'],
  [
    { name: 'DeviceDataCtrlr' },
    { name: 'ItemsPerMessage', instance: 'GetReport' },
    'DeviceDataCtrlr.ItemsPerMessage(GetReport)',
  ],
  [{ name: 'TokenReader', instance: 'left' }, { name: 'Enabled' }, 'TokenReader(left).Enabled'],
  [{ name: 'a.b', instance: '(c)' }, { name: '50%' }, 'a%2Eb(%28c%29).50%25'],
])('%j %j is %s', (component, variable, key) => {
  expect(variableKey(component, variable)).toBe(key);
  expect(readKey(key)).toEqual({ component, variable });
});

test('a component alone is a key, too; an invalid key is recognized', () => {
  expect(readKey('AuthCtrlr')).toEqual({ component: { name: 'AuthCtrlr' }, variable: null });
  expect(readKey('EVSE@2')).toEqual({ component: { name: 'EVSE', evse: { id: 2 } }, variable: null });
  for (const key of ['', '.', 'A..B', 'A.B.C', '@1.A', 'A(B.C', 'A@x.B']) expect(readKey(key)).toBeNull();
});

const name = fc.string({ minLength: 1, maxLength: 20 });
const named = fc.record({ name, instance: name }, { requiredKeys: ['name'] });
const evse = fc.record({ id: fc.nat(99_999), connectorId: fc.nat(99_999) }, { requiredKeys: ['id'] });

test('every variable is found again by its key', () => {
  fc.assert(
    fc.property(named, fc.option(evse, { nil: undefined }), named, (component, place, variable) => {
      const whole = place ? { ...component, evse: place } : component;
      expect(readKey(variableKey(whole, variable))).toEqual({ component: whole, variable });
    }),
  );
});
