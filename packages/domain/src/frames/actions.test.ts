import { expect, test } from 'vitest';
import { actionNamed } from './actions.ts';

test.each([
  ['statusnotification', 'StatusNotification'],
  [' BOOTNOTIFICATION ', 'BootNotification'],
  ['Get15118evCertificate', 'Get15118EVCertificate'],
  ['MeterValues', 'MeterValues'],
  ['ddata', 'DDATA'],
  // Topics of MQTT and names of vendors are case-sensitive.
  ['telemetry', 'telemetry'],
  ['DDATA Pack-1', 'DDATA Pack-1'],
  ['vendorReset', 'vendorReset'],
  ['', ''],
])('%j means the action %j', (entered, action) => {
  expect(actionNamed(entered)).toBe(action);
});
