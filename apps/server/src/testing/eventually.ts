import { setTimeout as wait } from 'node:timers/promises';

/** Reads until the value matches, and returns it. Fails after `timeoutMs` with the description and the last value. */
export async function eventually<T>(
  read: () => Promise<T> | T,
  fits: (value: T) => boolean,
  { what = 'a value that fits', timeoutMs = 30_000 }: { what?: string; timeoutMs?: number } = {},
): Promise<T> {
  const end = performance.now() + timeoutMs;
  for (;;) {
    const value = await read();
    if (fits(value)) return value;
    if (performance.now() > end) {
      throw new Error(`Waited ${timeoutMs} ms for ${what}; the last value was ${JSON.stringify(value)}`);
    }
    await wait(20);
  }
}
