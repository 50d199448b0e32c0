import { expect, test } from 'vitest';
import { cutSubject, isMailAddress, isSubject, readMailbox } from './mailbox.ts';

test.each(['ada@example.org', "o'neil+piles@mail.example.co", 'a@localhost', 'x_y-z@xn--fiq228c.example'])(
  '%s is an address',
  (text) => expect(isMailAddress(text)).toBe(true),
);

test.each([
  ['a second header', 'ada@example.org\r\nBcc: eve@example.org'],
  ['a bare line feed', 'ada@example.org\nBcc: eve@example.org'],
  ['a line break at its end', 'ada@example.org\n'],
  ['a list', 'ada@example.org,eve@example.org'],
  ['a list with blanks', 'ada@example.org eve@example.org'],
  ['a group', 'all:ada@example.org;'],
  ['brackets', '<ada@example.org>'],
  ['a name', 'Ada <ada@example.org>'],
  ['a comment', 'ada(eve)@example.org'],
  ['a quoted part', '"ada eve"@example.org'],
  ['two at signs', 'ada@example.org@example.com'],
  ['an SMTP parameter', 'ada@example.org SIZE=1'],
  ['U+0000', 'ada\u0000@example.org'],
  ['a line separator', 'ada\u2028@example.org'],
  ['letters of other scripts that look alike', 'аda@example.org'],
  ['no host', 'ada@'],
  ['nobody', '@example.org'],
  ['one that is too long', `${'a'.repeat(250)}@example.org`],
])('%s is not an address', (_title, text) => expect(isMailAddress(text)).toBe(false));

test.each([
  ['Reset your password', true],
  ['重置密码', true],
  ['', false],
  ['  ', false],
  ['Hello\r\nBcc: eve@example.org', false],
  ['Hello\nworld', false],
  ['Hello\u0085world', false],
  ['x'.repeat(201), false],
])('as a subject, %j: %s', (text, fits) => expect(isSubject(text)).toBe(fits));

test.each(['🔌'.repeat(300), 'x'.repeat(300), 'Hello\r\nBcc: eve@example.org', 'Hello\u2028world'])(
  '%j fits as a subject after the cut',
  (text) => expect([isSubject(text), isSubject(cutSubject(text))]).toEqual([false, true]),
);

test.each([
  ['ada@example.org', { name: '', address: 'ada@example.org' }],
  ['Chargehand <no-reply@example.org>', { name: 'Chargehand', address: 'no-reply@example.org' }],
  ['"Chargehand, north" <no-reply@example.org>', { name: 'Chargehand, north', address: 'no-reply@example.org' }],
  ['运维平台 <no-reply@example.org>', { name: '运维平台', address: 'no-reply@example.org' }],
  ['<no-reply@example.org>', { name: '', address: 'no-reply@example.org' }],
  ['Chargehand', undefined],
  ['A <a@example.org>, B <b@example.org>', undefined],
  ['Chargehand\r\nBcc: x <no-reply@example.org>', undefined],
])('the sender %j', (text, mailbox) => expect(readMailbox(text)).toEqual(mailbox));
