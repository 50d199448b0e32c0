/** Gives what `work` gives; rejects with what was waited for when that takes longer than `ms` milliseconds. */
export async function within<T>(ms: number, what: string, work: Promise<T> | T): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`waited ${ms} ms in vain: ${what}`)), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
