import { describe, expect, test } from 'vitest';
import { MAIL_WORDS } from './mail-words.ts';

type Entry = { en: string; zh: string };

const texts = (node: object, path: string[] = []): [string, Entry][] =>
  'en' in node
    ? [[path.join('.'), node as Entry]]
    : Object.entries(node).flatMap(([key, child]) => texts(child as object, [...path, key]));

describe.each(texts(MAIL_WORDS))('%s', (key, { en, zh }) => {
  test('exists in both languages', () => {
    expect(en.trim()).not.toBe('');
    expect(zh).toMatch(/\p{Script=Han}/u);
    expect(en).not.toMatch(/\p{Script=Han}/u);
  });

  test('uses the same values in both languages', () => {
    const parts = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort();
    expect(parts(zh)).toEqual(parts(en));
  });

  test('has one line', () => {
    expect(en + zh).not.toMatch(/[\r\n]/);
    // A subject has no input of users. Root chooses the name of the product.
    if (key.endsWith('subject')) expect((en + zh).replaceAll('{product}', '')).not.toMatch(/[{}]/);
  });
});
