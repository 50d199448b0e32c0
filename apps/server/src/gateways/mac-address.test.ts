import { expect, test } from 'vitest';
import { macAddress, macOfIdentifier } from './mac-address.ts';

test.each([
  ['00:1a:2b:3c:4d:5e', '00:1A:2B:3C:4D:5E', '00:1A:2B:3C:4D:5E'],
  ['00-1A-2B-3C-4D-5E', '00:1A:2B:3C:4D:5E', '00:1A:2B:3C:4D:5E'],
  ['001a.2b3c.4d5e', '00:1A:2B:3C:4D:5E', '00:1A:2B:3C:4D:5E'],
  ['001A2B3C4D5E', '00:1A:2B:3C:4D:5E', '00:1A:2B:3C:4D:5E'],
  ['202601010001', '20:26:01:01:00:01', null],
  ['PILE-0001', null, null],
  ['', null, null],
])('%j as a text is %j, as an identifier %j', (text, mac, identified) => {
  expect(macAddress(text)).toBe(mac);
  expect(macOfIdentifier(text)).toBe(identified);
});
