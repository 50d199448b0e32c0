/** Encrypts the secrets of the applications of a measurement. */
export const BENCH_KEY = Buffer.alloc(32, 7).toString('base64');
