import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import type { Clock } from '../clock.ts';
import type { Database } from '../database/schema.ts';
import { Problem } from '../http/problem.ts';
import type { Log } from '../log.ts';
import type { Room } from '../room.ts';
import { secretBox } from '../secret-box.ts';
import { type RecordedRequest, RepeatedRequest, recordedRequest } from './recorded-request.ts';
import { findRequest, forgetRequest, removeOldKeys, storeAnswer } from './requests.store.ts';

/** A larger answer is not stored: a repeated request gets `requestDone` instead. Characters of JSON. */
const MAX_ANSWER_LENGTH = 64 * 1024;
/** How long a repeated request waits for the answer of the first one, which is still running. Milliseconds. */
const ANSWER_WITHIN_MS = 5_000;
const AGAIN_MS = 50;

/** A request that may arrive more than once. */
export interface KeyedRequest {
  /** who sent it; a key belongs to its user and application */
  caller: { userId: number; applicationId: number | null };
  /** the value of the header Idempotency-Key */
  key: string;
  endpointId: string;
  /** the validated inputs: another request with the same key is refused */
  inputs: unknown;
}

/** What a request got, and whether it is the answer of an earlier request with the same key. */
export interface OnceAnswer {
  data: unknown;
  repeated: boolean;
}

export interface RequestsOnce {
  /**
   * Runs a handler once for each key, and gives a repeated request the answer of the first.
   * @throws {Problem} `idempotencyKeyUsed` for another request with the same key; `requestDone` when the request was
   *   carried out and its answer is not known; `resultUnknown` when the database does not say whether it was
   */
  once(request: KeyedRequest, handler: () => Promise<unknown>): Promise<OnceAnswer>;
  /** Runs the handler of a request without a key. @throws {Problem} `resultUnknown` */
  unkeyed(handler: () => Promise<unknown>): Promise<unknown>;
}

/** Keys are removed this often. Milliseconds. */
const CLEANUP_MS = 60 * 60_000;

/** Removes the keys of requests that no client repeats any more. */
export function requestCleanup(parts: { db: Kysely<Database>; clock: Clock; log: Log }): Room {
  const { db, clock, log } = parts;
  const cleanup = clock.repeat(() => removeOldKeys(db), {
    ...{ job: 'requestCleanup', everyMs: CLEANUP_MS, log, failed: 'old request keys wait for the next cleanup' },
  });
  return { name: 'requests', role: 'jobs', start: async () => cleanup.wake(), stop: cleanup.stop };
}

/** Executes requests that change something at most once for each `Idempotency-Key`. */
export function requestsOnce(parts: { db: Kysely<Database>; log: Log }): RequestsOnce {
  const { db, log } = parts;

  const run = async (request: RecordedRequest, handler: () => Promise<unknown>) => {
    try {
      return await recordedRequest.run(request, handler);
    } finally {
      request.ended = true;
    }
  };

  /** The answer of the first request, which may still be running. */
  const answerOfFirst = async (box: ReturnType<typeof secretBox>, hash: Buffer, fingerprint: Buffer) => {
    const deadline = performance.now() + ANSWER_WITHIN_MS;
    for (;;) {
      const first = await findRequest(db, hash);
      if (!first) return null;
      if (!first.fingerprint.equals(fingerprint)) {
        throw new Problem('idempotencyKeyUsed', { status: 409, field: 'Idempotency-Key' });
      }
      if (first.answer !== null) return { data: JSON.parse(box.open(first.answer)) as unknown, repeated: true };
      if (performance.now() >= deadline) throw new Problem('requestDone');
      await wait(AGAIN_MS);
    }
  };

  return {
    async once({ caller, key, endpointId, inputs }, handler) {
      const { userId, applicationId } = caller;
      const hash = sha256(`${userId} ${applicationId ?? ''} ${key}`);
      const fingerprint = sha256(`${endpointId} ${canonical(inputs)}`);
      // Only a client with the key can read the answer: it may contain a new secret.
      const box = secretBox(sha256(`answer ${key}`).toString('base64'));
      const first = await answerOfFirst(box, hash, fingerprint);
      if (first) return first;
      const request: RecordedRequest = { key: { hash, fingerprint }, recorded: false, ended: false };
      let data: unknown;
      try {
        data = await run(request, handler);
      } catch (error) {
        if (error instanceof RepeatedRequest) {
          const answer = await answerOfFirst(box, hash, fingerprint);
          if (answer) return answer;
          throw new Problem('requestDone');
        }
        if (error instanceof Problem && request.recorded && error.code !== 'resultUnknown') {
          await forgetRequest(db, hash);
        }
        throw error;
      }
      const text = JSON.stringify(data ?? null);
      const answer = text.length > MAX_ANSWER_LENGTH ? null : box.close(text);
      await storeAnswer(db, { hash, fingerprint }, answer).catch((error: unknown) =>
        log.warn({ err: error, endpoint: endpointId }, 'the answer to a request could not be stored for repetitions'),
      );
      return { data, repeated: false };
    },
    unkeyed: (handler) => run({ key: null, recorded: false, ended: false }, handler),
  };
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/** JSON with sorted names, so that the order in which a client writes them does not matter. */
function canonical(value: unknown): string {
  return (
    JSON.stringify(value, (_name, part: unknown) =>
      typeof part === 'object' && part !== null && !Array.isArray(part)
        ? Object.fromEntries(Object.entries(part).sort(([one], [other]) => (one < other ? -1 : 1)))
        : part,
    ) ?? ''
  );
}
