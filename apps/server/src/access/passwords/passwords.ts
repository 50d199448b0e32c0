import { hash, verify } from '@node-rs/argon2';

/**
 * OWASP Password Storage Cheat Sheet, Argon2id: 19 MiB, two passes, one lane. The input is the hex SHA-256 of the
 * password (spec §5), which is what browsers send.
 */
const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** The number of concurrent hashes, so that many sign-ins leave threads of the pool for other work. */
export const HASHES_AT_ONCE = 2;

let running = 0;
const waiting: (() => void)[] = [];

/** The stored hash for the hex SHA-256 of a password. */
export async function hashPassword(sha256hex: string): Promise<string> {
  return await withHashSlot(() => hash(sha256hex, PARAMETERS));
}

/**
 * True if the hex SHA-256 matches the stored hash. Without a stored hash (an unknown account) it takes as long and
 * returns false, so that response times do not reveal which accounts exist.
 */
export async function passwordMatches(stored: string | null, sha256hex: string): Promise<boolean> {
  const matches = await withHashSlot(() => verify(stored ?? DUMMY_HASH, sha256hex, PARAMETERS));
  return matches && stored !== null;
}

/** An Argon2id hash with the parameters above, of a random value that is not stored. */
const DUMMY_HASH = '$argon2id$v=19$m=19456,t=2,p=1$auX+4EvDrCiCPXTtetztdA$1Ytq4SBdxz9xbXOqFcEpxeXGGT7OdD3CRwiNte7XLz0';

/** Runs `work` when fewer than `HASHES_AT_ONCE` others are running; in the order of the calls. */
export async function withHashSlot<T>(work: () => Promise<T>): Promise<T> {
  if (running >= HASHES_AT_ONCE) await new Promise<void>((start) => waiting.push(start));
  else running += 1;
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  }
}
