import { expect, test } from 'vitest';
import { screenTail } from './screen-tail.ts';

const filled = (limit: number, ...chunks: string[]) => {
  const tail = screenTail(limit);
  for (const chunk of chunks) tail.add(Buffer.from(chunk));
  return String(tail.read());
};

test('all output is kept up to the limit', () => {
  expect(filled(10, '充电', 'ab')).toBe('充电ab');
});

test('older output is dropped up to the start of a line, or of a sequence without lines', () => {
  expect(filled(10, 'first\nsecond\n', 'third')).toBe('third');
  expect(filled(10, '充电充电\x1b[1mab')).toBe('\x1b[1mab');
});

test('a program that uses the whole window is shown on its screen, also when its start was dropped in parts', () => {
  expect(filled(6, 'x\x1b[?104', '9h1234', '\n567')).toBe('\x1b[?1049h567');
  expect(filled(6, '\x1b[?1049h', 'top', '\x1b[?1049l', '\n$ done', '\n$ ')).toBe('$ ');
});
