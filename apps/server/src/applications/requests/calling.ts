import { createHash, randomBytes } from 'node:crypto';
import type { OpenEndpoint } from '@chargehand/contract';
import {
  DIGEST_COMPONENT,
  SIGNATURE_WINDOW_SECONDS,
  SIGNED_COMPONENTS,
  signatureFault,
  TOKEN_SECONDS,
} from '@chargehand/domain';
import type { FastifyRequest } from 'fastify';
import type { Kysely } from 'kysely';
import type { Pool } from 'pg';
import { boundUserRights } from '../../access/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/schema.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { Problem } from '../../platform/http/problem.ts';
import type { SecretBox } from '../../platform/secret-box.ts';
import {
  type CallingApplication,
  countRequest,
  findByAppId,
  findByToken,
  insertToken,
  markSecretUsed,
  takeNonce,
} from './callers.store.ts';
import { refusals } from './refusals.ts';
import { readSignature, sentDigest } from './signed-request.ts';
import {
  type Decided,
  decideAddress,
  decideOperation,
  decideRate,
  decideState,
  operationForbidden,
  userUnusable,
} from './usable.ts';

/** An authenticated request of an application. */
export interface Authenticated {
  application: CallingApplication;
  /** the SHA-256 that its body must have; null for a request without a body, or with a token */
  digest: Buffer | null;
}

export type Calling = ReturnType<typeof calling>;

/**
 * Who sends a request of the open API: by signature (RFC 9421) or by token. The order matters: nothing is learned about
 * an application before its secret has been proved, and nothing is counted for it either.
 */
export function calling(parts: {
  db: Kysely<Database>;
  pool: Pool;
  clock: Clock;
  box: SecretBox;
  /** a signature in the name of an application was refused */
  onRefused(applicationId: number): void;
}) {
  const { db, pool, clock, box, onRefused } = parts;
  const limit = refusals(clock);

  async function bySignature(request: FastifyRequest): Promise<Authenticated> {
    const now = clock.now();
    const { method, url, headers } = request.raw;
    const signature = readSignature({ method: method ?? '', url: request.originalUrl ?? url ?? '', headers });
    if (!signature) throw refused(headers.signature === undefined ? 'signatureMissing' : 'signatureIncomplete');
    const hasBody = 'transfer-encoding' in headers || Number(headers['content-length'] ?? 0) > 0;
    const fault = signatureFault(signature, hasBody, now);
    if (fault || signature.keyId === null) throw refused(fault ?? 'signatureIncomplete', now);
    const digest = hasBody ? sentDigest(headers[DIGEST_COMPONENT]) : null;
    if (hasBody && !digest) throw refused('signatureBody');
    const application = signature.keyId.length <= 64 ? await findByAppId(db, signature.keyId, now) : undefined;
    let used: number | null = null;
    for (const { id, secret } of application?.secrets ?? []) {
      if (used === null && (await signature.matches(box.open(secret)))) used = id;
    }
    if (application && used === null) onRefused(application.id);
    if (!application || used === null) throw refused('signatureWrong');
    // A nonce is kept until its signature can no longer be valid.
    const until = new Date((Number(signature.created) + SIGNATURE_WINDOW_SECONDS + 1) * 1_000);
    if (!(await takeNonce(db, application.id, String(signature.nonce), until))) {
      onRefused(application.id);
      throw refused('signatureReplayed');
    }
    await markSecretUsed(db, used, now);
    return { application, digest };
  }

  async function byToken(header: string): Promise<Authenticated> {
    const token = /^Bearer (cht_[\w-]{43})$/i.exec(header)?.[1];
    const application = token && (await findByToken(db, hashOf(token), clock.now()));
    if (!application) throw refused('tokenInvalid');
    return { application, digest: null };
  }

  /** @throws {Problem} why the application cannot be used now from this address */
  async function requireUsable(application: CallingApplication, address: string): Promise<void> {
    const now = clock.now();
    admit(decideState(application, now));
    admit(decideAddress(application, address));
    admit(decideRate(application, await countRequest(db, application.id, now), now));
  }

  return {
    /** Authenticates a request, before its body is read. @throws {Problem} with the HTTP status */
    async authenticate(request: FastifyRequest): Promise<Authenticated> {
      const { authorization } = request.headers;
      // By address and not by application, so that others cannot delay it.
      limit.check(request.ip);
      try {
        return authorization === undefined ? await bySignature(request) : await byToken(String(authorization));
      } catch (error) {
        if (error instanceof Problem && error.status === 401) limit.add(request.ip);
        throw error;
      }
    },

    requireUsable,

    /** The user of the application, for an operation that both may use. @throws {Problem} */
    async callerOf(application: CallingApplication, request: FastifyRequest, operation: OpenEndpoint): Promise<Caller> {
      const rights =
        application.userId === null ? 'unusable' : await boundUserRights(pool, application.userId, operation.like);
      if (rights === 'unusable') throw userUnusable();
      if (rights === 'unreachable') throw operationForbidden(operation);
      admit(decideOperation(application, operation));
      return {
        ...rights,
        ...{ viewer: null, application: { id: application.id, name: application.name } },
        ...{ sessionId: `application:${application.id}`, csrf: '', address: request.ip, locale: request.locale },
      };
    },

    /** Exchanges the signature of a request for a token. */
    async createToken(application: CallingApplication): Promise<{ token: string; expiresAt: string }> {
      const token = `cht_${randomBytes(32).toString('base64url')}`;
      const until = new Date(clock.now().getTime() + TOKEN_SECONDS * 1_000);
      await insertToken(db, { token_hash: hashOf(token), application_id: application.id, until });
      return { token, expiresAt: until.toISOString() };
    },
  };
}

const hashOf = (token: string) => createHash('sha256').update(token).digest();

/** @throws {Problem} if a step of the decision refuses the request */
function admit({ problem }: Decided): void {
  if (problem) throw problem;
}

type Refusal =
  | 'signatureMissing'
  | 'signatureIncomplete'
  | 'signatureNonce'
  | 'signatureTime'
  | 'signatureWrong'
  | 'signatureReplayed'
  | 'signatureBody'
  | 'tokenInvalid';

function refused(code: Refusal, now?: Date): Problem {
  const components = [...SIGNED_COMPONENTS, DIGEST_COMPONENT].map((one) => `"${one}"`).join(' ');
  return new Problem(code, {
    status: 401,
    values: {
      ...(code === 'signatureIncomplete' ? { components } : {}),
      ...(code === 'signatureTime' && now ? { seconds: SIGNATURE_WINDOW_SECONDS, time: now.toISOString() } : {}),
    },
  });
}
