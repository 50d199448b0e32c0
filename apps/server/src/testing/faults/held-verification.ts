import { HASHES_AT_ONCE, withHashSlot } from '../../access/passwords/passwords.ts';

/**
 * Blocks every verification of a password in this process until the returned function is called. Call it in a
 * `finally`, because other tests of the same worker verify passwords too.
 */
export function holdVerification(): () => void {
  const held = Promise.withResolvers<void>();
  for (let slot = 0; slot < HASHES_AT_ONCE; slot += 1) void withHashSlot(() => held.promise);
  return held.resolve;
}
