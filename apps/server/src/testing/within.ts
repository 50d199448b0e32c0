/** Returns the result of `work`. Rejects with a description when that takes longer than `ms` milliseconds. */
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

/** Timeout for the other side: long enough for a busy machine, shorter than the timeout of a test. Milliseconds. */
const SOON_MS = 60_000;

/**
 * Returns the result of a promise. Rejects with a description when it does not settle within a minute, so that the test
 * fails with a reason. The result may remain unused.
 */
export function soon<T>(what: string, work: Promise<T>): Promise<T> {
  const result = within(SOON_MS, what, work);
  result.catch(() => undefined);
  return result;
}
