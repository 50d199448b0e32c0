import { expect, test } from 'vitest';
import { isNewSignIn } from './account-events.ts';

const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
const former = [
  { address: '203.0.113.7', userAgent: firefox },
  { address: '2001:db8:1::7', userAgent: firefox },
];

test.each<[string, string, string, boolean]>([
  ['the same', '203.0.113.7', firefox, false],
  ['a newer version of the browser', '203.0.113.7', firefox.replaceAll('140', '141'), false],
  ['another address of the network', '203.0.7.9', firefox, false],
  ['the same address written as IPv6', '::ffff:203.0.113.7', firefox, false],
  ['another address of the IPv6 network', '2001:DB8:9::1', firefox, false],
  ['another network', '198.51.100.7', firefox, true],
  ['another IPv6 network', '2a00:db8::1', firefox, true],
  ['another browser', '203.0.113.7', firefox.replace('Firefox', 'Waterfox'), true],
  ['another system', '203.0.113.7', firefox.replace('X11; Linux x86_64', 'Windows NT 10.0; Win64; x64'), true],
])('a sign-in from %s (%s, %s) is new: %s', (_title, address, userAgent, expected) => {
  expect(isNewSignIn(former, { address, userAgent })).toBe(expected);
});

test('the first sign-in is not new', () => {
  expect(isNewSignIn([], { address: '203.0.113.7', userAgent: firefox })).toBe(false);
});
