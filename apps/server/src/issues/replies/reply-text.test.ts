import { expect, test } from 'vitest';
import { replyAddresses } from './reply-address.ts';
import { replyText } from './reply-text.ts';

test.each([
  ['a plain reply', 'Fuse replaced.', 'Fuse replaced.'],
  [
    'a quote above which was written',
    'Done.\n\nOn Mon, 2 Nov 2026 at 09:00, Chargehand <a@b.c> wrote:\n> Old\n> text',
    'Done.',
  ],
  ['a Chinese quote', '已更换。\n\n在 2026年11月2日，Chargehand 写道：\n> 旧内容', '已更换。'],
  ['QQ mail', '已处理\n\n\n------------------ 原始邮件 ------------------\n发件人: "x"', '已处理'],
  ['Outlook in Chinese', '好的\n\n发件人: Chargehand\n发送时间: 2026年11月2日\n主题: x\n\n旧', '好的'],
  ['Outlook', 'Yes\r\n\r\nFrom: Chargehand <a@b.c>\r\nSent: Monday\r\nTo: me\r\n\r\nOld', 'Yes'],
  ['a signature', 'On site at ten.\n\n-- \nAnn\nField service', 'On site at ten.'],
  ['only a quote', '> Old\n> text', ''],
  ['control characters', 'a\u0000b\u0007c\nd', 'abc\nd'],
])('of %s only what was written is kept', (_title, text, expected) => {
  expect(replyText({ text })).toBe(expected);
});

test('a mail with only HTML is read as text, without what it answers', () => {
  const html =
    '<html><head><style>p{}</style></head><body><div>Fuse &amp; relay<br>replaced</div>' +
    '<div class="gmail_quote">Old<blockquote>older</blockquote></div></body></html>';
  expect(replyText({ html })).toBe('Fuse & relay\nreplaced');
  expect(replyText({ html: '<'.repeat(300_000) })).toHaveLength(8_000);
});

test.each(['\n', '> ', 'On ', ' \n', '_', 'From: ', '在 '])('a mail full of %j is read without delay', (words) => {
  expect(replyText({ text: `${words.repeat(40_000)}a` }).length).toBeLessThanOrEqual(8_000);
});

test('a very long reply is cut', () => {
  expect(replyText({ text: 'x'.repeat(100_000) })).toHaveLength(8_000);
});

test('an address is valid for its user and issue only, in any case, for 90 days', () => {
  const now = new Date('2026-11-24T10:00:00Z');
  const addresses = replyAddresses({ key: 'secret', domain: 'mail.example.org' });
  const target = { userId: 12_345, issueId: 2_000_000 };
  const address = addresses.addressFor(target, now);
  expect(address.slice(0, address.indexOf('@')).length).toBeLessThanOrEqual(64);
  expect(addresses.read(address, now)).toEqual(target);
  expect(addresses.read(address.toUpperCase(), now)).toEqual(target);
  expect(addresses.read(address, new Date('2027-02-23T10:00:00Z'))).toBeNull();
  const forged = [
    address.replace('@mail', '@other'),
    address.replace(/\+\w+/, '+1'),
    address.replace(/.@/, address.includes('0@') ? '1@' : '0@'),
    ...['', 'reply@mail.example.org', 'root@mail.example.org', 'reply+1.1.zzz.00@mail.example.org'],
  ];
  for (const one of forged) expect(addresses.read(one, now)).toBeNull();
  expect(replyAddresses({ key: 'other', domain: 'mail.example.org' }).read(address, now)).toBeNull();
});
