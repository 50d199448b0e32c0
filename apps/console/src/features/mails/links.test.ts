import { expect, it } from 'vitest';
import { partsOf } from './links.ts';

it('finds the URLs in a text and leaves the rest unchanged', () => {
  const text = 'Go on:\nhttps://host/find-password/reset#a-b_c\n\nBye';
  expect(partsOf(text)).toEqual([
    { text: 'Go on:\n', link: false },
    { text: 'https://host/find-password/reset#a-b_c', link: true },
    { text: '\n\nBye', link: false },
  ]);
  expect(
    partsOf(text)
      .map((part) => part.text)
      .join(''),
  ).toBe(text);
});

it('does not link URLs that could run code', () => {
  expect(partsOf('javascript:alert(1) data:text/html,x').every(({ link }) => !link)).toBe(true);
});
