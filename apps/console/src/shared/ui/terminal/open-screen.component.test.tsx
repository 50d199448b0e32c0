import { Terminal } from '@xterm/xterm';
import { expect, test, vi } from 'vitest';
import { atEnd } from '../../../testing/show.tsx';
import { openScreen } from './open-screen.ts';
import { screenOptions } from './screen-options.ts';

function open(): Terminal {
  const place = document.createElement('div');
  document.body.append(place);
  const terminal = new Terminal(screenOptions());
  atEnd(() => {
    terminal.dispose();
    place.remove();
  });
  openScreen(terminal, place);
  return terminal;
}

test('a terminal with much output is drawn at most 25 times a second', async () => {
  const terminal = open();
  let drawn = 0;
  terminal.onRender(() => {
    drawn += 1;
  });
  const from = performance.now();
  for (let frame = 0; frame < 40; frame += 1) {
    terminal.write(`line ${frame}\r\n`);
    await new Promise(requestAnimationFrame);
  }
  expect(drawn).toBeLessThanOrEqual((performance.now() - from) / 40 + 2);
  await expect.poll(() => terminal.element?.textContent).toContain('line 39');
});

test('much output changes the scroll bar once in a frame, and ends at the last line', async () => {
  const terminal = open();
  type Inside = { _core: { _viewport: { _scrollableElement: { setScrollDimensions(): void } } } };
  const { _scrollableElement: bar } = (terminal as unknown as Inside)._core._viewport;
  const changed = vi.spyOn(bar, 'setScrollDimensions');
  await new Promise<void>((written) => terminal.write('line\r\n'.repeat(3_000), written));
  expect(changed.mock.calls.length).toBeLessThan(300);
  await expect
    .poll(() => changed.mock.lastCall)
    .toEqual([expect.objectContaining({ scrollHeight: expect.any(Number) })]);
  const height = () => {
    const [size] = (changed.mock.lastCall ?? []) as unknown as [{ height: number; scrollHeight: number }?];
    return size && Math.round((size.scrollHeight / size.height) * terminal.rows);
  };
  await expect.poll(height).toBe(terminal.buffer.active.length);
  expect(terminal.buffer.active.viewportY).toBe(terminal.buffer.active.baseY);
  // A user who scrolls stays where they are.
  terminal.scrollLines(-100);
  const at = terminal.buffer.active.viewportY;
  await new Promise<void>((written) => terminal.write('line\r\n'.repeat(50), written));
  expect(terminal.buffer.active.viewportY).toBe(at);
});

test('much output keeps the maps of lines, and combined characters and underlines stay right', async () => {
  const terminal = open();
  const write = (text: string) => new Promise<void>((written) => terminal.write(text, written));
  type Line = { _combined: object; _extendedAttrs: object };
  type Inside = { _core: { buffer: { lines: { get(index: number): Line; length: number } } } };
  const { lines } = (terminal as unknown as Inside)._core.buffer;
  const maps = () => {
    const all = Array.from({ length: lines.length }, (_, index) => lines.get(index));
    return new Set(all.flatMap(({ _combined, _extendedAttrs }) => [_combined, _extendedAttrs]));
  };
  const length = terminal.options.scrollback! + terminal.rows;
  await write('plain\r\n'.repeat(length));
  const before = maps();
  await write('plain\r\n'.repeat(length));
  expect([...maps()].filter((map) => !before.has(map)).length).toBeLessThan(length / 2);

  const text = (fromEnd: number) =>
    terminal.buffer.active.getLine(terminal.buffer.active.length - 1 - fromEnd)?.translateToString(true);
  const styles = (fromEnd: number) => Object.keys(lines.get(lines.length - 1 - fromEnd)._extendedAttrs).length;
  await write('e\u0301\r\n\x1b[4:3mcurly\x1b[0m\r\n');
  await write('plain\r\n'.repeat(length - 3));
  expect([text(length - 1), styles(length - 1)]).toEqual(['e\u0301', 0]);
  expect([text(length - 2), styles(length - 2)]).toEqual(['curly', 5]);
  await write('plain\r\n'.repeat(length));
  expect([text(length - 1), styles(length - 1)]).toEqual(['plain', 0]);
  expect([text(length - 2), styles(length - 2)]).toEqual(['plain', 0]);
});
