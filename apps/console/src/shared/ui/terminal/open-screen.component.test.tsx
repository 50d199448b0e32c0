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
