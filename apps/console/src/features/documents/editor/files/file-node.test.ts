import { expect, test } from 'vitest';
import { purposeOf } from './file-node.ts';

test.each([
  ['a.PNG', 'image'],
  ['a.b.jpeg', 'image'],
  ['a.mp4', 'video'],
  ['说明.pdf', 'file'],
  ['a.svg', 'file'],
  ['png', 'image'],
])('%s is inserted as %s', (name, purpose) => {
  expect(purposeOf(name)).toBe(purpose);
});
