import { expect, test } from 'vitest';
import { protocolName } from './protocol-name.ts';

test.each([
  ['ocpp1.6', 'OCPP 1.6'],
  ['ocpp2.0.1', 'OCPP 2.0.1'],
  ['mqtt3.1.1', 'MQTT 3.1.1'],
  ['sparkplug', 'sparkplug'],
  ['', ''],
])('%s is shown as %s', (protocol, name) => {
  expect(protocolName(protocol)).toBe(name);
});
