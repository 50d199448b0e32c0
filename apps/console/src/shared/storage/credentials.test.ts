import type { StorageCredential } from '@chargehand/contract';
import { expect, test } from 'vitest';
import { type CredentialMode, credentialCache } from './credentials.ts';

const HOUR = 3_600_000;

function cache() {
  const requested: CredentialMode[] = [];
  let at = Date.UTC(2026, 0, 1);
  let failing = false;
  const credentialsFor = credentialCache(
    async (wanted) => {
      requested.push(wanted);
      if (failing) throw new Error('away');
      return {
        accessKeyId: String(requested.length),
        expiration: new Date(at + HOUR).toISOString(),
      } as StorageCredential;
    },
    () => at,
  );
  return {
    requested,
    credentialsFor,
    pass: (ms: number) => {
      at += ms;
    },
    fail: (whether: boolean) => {
      failing = whether;
    },
  };
}

test('credentials are cached by mode and user, and requested once', async () => {
  const { requested, credentialsFor } = cache();
  const wanted: CredentialMode[] = [
    { mode: 'read', userId: 1 },
    { mode: 'write', userId: 1 },
    { mode: 'read', userId: 2 },
    { mode: 'read', userId: null },
    { mode: 'read', userId: 1, customerId: 7 },
  ];
  await Promise.all([...wanted, ...wanted].map(credentialsFor));
  await Promise.all(wanted.map(credentialsFor));
  expect(requested).toEqual(wanted);
});

test('they are requested again shortly before they expire', async () => {
  const { credentialsFor, pass } = cache();
  const read = { mode: 'read', userId: 1 } as const;
  expect((await credentialsFor(read)).accessKeyId).toBe('1');
  pass(HOUR / 2 - 1);
  expect((await credentialsFor(read)).accessKeyId).toBe('1');
  pass(1);
  const both = await Promise.all([credentialsFor(read), credentialsFor(read)]);
  expect(both.map(({ accessKeyId }) => accessKeyId)).toEqual(['2', '2']);
});

test('an error is not cached', async () => {
  const { credentialsFor, fail } = cache();
  fail(true);
  await expect(credentialsFor({ mode: 'read', userId: 1 })).rejects.toThrow('away');
  fail(false);
  expect((await credentialsFor({ mode: 'read', userId: 1 })).accessKeyId).toBe('2');
});
