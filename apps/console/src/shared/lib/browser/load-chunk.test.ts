import { describe, expect, it } from 'vitest';
import { loadChunk } from './load-chunk.ts';

describe('a chunk of the console', () => {
  it('is returned when it is loaded', async () => {
    expect(await loadChunk(async () => 'part')).toBe('part');
  });

  it.each([
    ['a missing script', 'Failed to fetch dynamically imported module: /assets/x.js', 'CHUNK_LOAD_FAILED'],
    ['a missing style sheet', 'Unable to preload CSS for /assets/x.css', 'CSS_CHUNK_LOAD_FAILED'],
  ])('%s is named', async (_title, message, code) => {
    await expect(loadChunk(() => Promise.reject(new TypeError(message)))).rejects.toMatchObject({ code });
  });

  it('is abandoned after the timeout', async () => {
    const never = new Promise<string>(() => undefined);
    await expect(loadChunk(() => never, 10)).rejects.toMatchObject({ code: 'CHUNK_LOAD_TIMEOUT' });
  });
});
