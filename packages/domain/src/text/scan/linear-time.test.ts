import { expect, test } from 'vitest';
import { isGuessable } from '../../access/credentials.ts';
import { isSn } from '../../devices/sn.ts';
import { cleanContent, safeLink } from '../../documents/content.ts';
import { sectionsOf } from '../../documents/sections.ts';
import { causeOf, storedError } from '../../errors/errors.ts';
import { maskText } from '../../errors/mask-text.ts';
import { groupedDigits } from '../../models/item-values.ts';
import { kindOfFormat } from '../../spreadsheets/workbook.ts';
import { plainDecimal } from '../../values/decimal.ts';
import { frameWithoutSecrets } from '../frame-secrets.ts';
import { isSecretParameter, secretKeys, withoutSecrets } from '../secrets.ts';

/** The longest time that a text from outside may take, in CPU milliseconds. */
const LONGEST = 50;

/** Parts that a text repeats, and what follows: each made an earlier pattern start again at every character. */
const POISON = [
  ...['A', 'aA', 'a', ' ', '\t', '\n', '-', '.', '@', '(', '[', '<', '"', '\\', '/', ',', ';', '=', '0', '#', '{', '|'],
  ...['eyJ-', 'eyJa.', 'a=', 'a="', "a='", 'a@a.', '://', 'https://', 'https://a?', 'Bearer ', 'Aa1_', 'cookie: '],
  ...['password=', '-----BEGIN ', '-----BEGIN PRIVATE KEY-----', '@1.', 'at (', 'apps/', '/assets/', 'Basic\t', '充'],
];

function texts(length: number): string[] {
  return POISON.map((part) => part.repeat(Math.ceil(length / part.length)).slice(0, length));
}

/** The CPU time of a call, the shorter one of up to three: the machine may be busy. */
function costOf(call: () => unknown): number {
  let shortest = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < 3 && shortest > LONGEST; attempt += 1) {
    const before = process.threadCpuUsage();
    call();
    const { user, system } = process.threadCpuUsage(before);
    shortest = Math.min(shortest, (user + system) / 1_000);
  }
  return shortest;
}

const marked = secretKeys([{ key: 'DoorCode', secret: true }]);
const caught = (text: string) => ({ source: 'browser', name: text, message: text, stack: text }) as const;

/** As many links as a document can have. */
const safeLinks = (text: string) =>
  Array.from({ length: 60 }, () => [safeLink(text), safeLink(`mailto:${text.slice(7)}`), safeLink(`${text} x`)]);
const contentOf = (type: string, text: string) =>
  sectionsOf(
    cleanContent({ type: 'doc', content: [{ type, attrs: { level: 1 }, content: [{ type: 'text', text }] }] }),
  );

/** Functions that read a text from outside, with the longest text that they get. */
const READERS: [name: string, longest: number, read: (text: string) => unknown][] = [
  ['the name of a parameter', 1_000_000, (text) => isSecretParameter(text)],
  ['the marked names of a model', 100_000, (text) => secretKeys([{ key: text, secret: true }])],
  ['a key of a frame', 262_144, (text) => frameWithoutSecrets(JSON.stringify({ key: text, value: text }), marked)],
  ['a field of an MQTT message', 1_000_000, (text) => withoutSecrets({ [text]: text })],
  ['JSON in a text of a frame', 262_144, (text) => withoutSecrets({ data: `{"password":"${text}` })],
  ['a masked text', 100_000, maskText],
  ['a reported error', 1_000_000, (text) => storedError(caught(text))],
  ['the link of a text', 2_000, (text) => safeLinks(text)],
  ['a paragraph', 500_000, (text) => contentOf('paragraph', text)],
  ['a heading', 500_000, (text) => contentOf('heading', text)],
  ['a number format', 100_000, (text) => kindOfFormat(200, text)],
  ['the digits of a value', 65_536, groupedDigits],
  ['a decimal number', 65_536, plainDecimal],
  ['an SN', 65_536, isSn],
  ['a password', 65_536, (text) => isGuessable(text, new Set(), [text])],
  ['the cause of an error', 1_000_000, (text) => [causeOf(caught(text)), causeOf({ ...caught(text), source: 'job' })]],
];

test.each(READERS)('%s of %i characters never takes long', (_, longest, read) => {
  const slow = texts(longest).map((text) => [text.slice(0, 30), costOf(() => read(text))] as const);
  expect(slow.filter(([, cost]) => cost > LONGEST)).toEqual([]);
});

test('JSON in a text that is nested too deep is not shown, instead of exhausting the stack', () => {
  const data = `{"password":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
  expect(withoutSecrets({ data })).toEqual({
    data: '(not kept, as it may hold a secret: nested deeper than 32 levels)',
  });
});
