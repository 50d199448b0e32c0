/** Gives what `work` gives; rejects with what was waited for when that takes longer than `ms` milliseconds. */
export async function within<T>(ms: number, what: string, work: Promise<T> | T): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`not within ${ms} ms: ${what}`)), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** What another side does soon, or never: long enough for a laden machine, shorter than a test may take. Milliseconds. */
const SOON_MS = 60_000;

/**
 * Gives what comes; rejects with what was waited for when it does not come in a minute, so that a test fails by itself
 * and says why. Nobody has to take the result: a test may ask for what it does not wait for.
 */
export function soon<T>(what: string, work: Promise<T>): Promise<T> {
  const result = within(SOON_MS, what, work);
  result.catch(() => undefined);
  return result;
}
