import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { HIDDEN_MS, watchVisibility } from './visibility.ts';

class TestPage extends EventTarget {
  visibilityState: DocumentVisibilityState = 'visible';
  turn(state: DocumentVisibilityState): void {
    this.visibilityState = state;
    this.dispatchEvent(new Event('visibilitychange'));
  }
}

let page: TestPage;
let notified: boolean[];
let stop: () => void;
beforeEach(() => {
  vi.useFakeTimers();
  page = new TestPage();
  notified = [];
  stop = watchVisibility(page as unknown as Document, (visible) => notified.push(visible));
});
afterEach(() => {
  stop();
  vi.useRealTimers();
});

it('reports a page as hidden after it stays hidden, and immediately as visible', () => {
  page.turn('hidden');
  vi.advanceTimersByTime(HIDDEN_MS - 1);
  expect(notified).toEqual([true]);
  vi.advanceTimersByTime(1);
  expect(notified).toEqual([true, false]);
  page.turn('visible');
  expect(notified).toEqual([true, false, true]);
});

it('reports nothing for a short switch to another tab, and nothing after its end', () => {
  page.turn('hidden');
  vi.advanceTimersByTime(HIDDEN_MS - 1);
  page.turn('visible');
  vi.advanceTimersByTime(HIDDEN_MS);
  expect(notified).toEqual([true, true]);
  page.turn('hidden');
  stop();
  vi.advanceTimersByTime(HIDDEN_MS);
  expect(notified).toEqual([true, true]);
});
