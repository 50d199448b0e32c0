import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Clock } from '../../platform/clock.ts';
import type { ShareRecord } from '../shares.store.ts';

/** How long a right code is remembered: a large download over a mobile network can be resumed for that long. */
const HOURS = 12;

/** A visitor of a share. */
export interface Visitor {
  /** tells visitors apart in the log and for resumed downloads; not who they are */
  key: string;
  address: string;
}

export type VisitorPasses = ReturnType<typeof visitorPasses>;

/**
 * The cookie that remembers a visitor of a share, and that they entered its code: an ID and an expiry, signed together
 * with the stored token and code, so that it opens only this share and only with this code.
 */
export function visitorPasses(parts: { key: string; clock: Clock; isPublicHttps: boolean }) {
  const { key, clock, isPublicHttps } = parts;
  const sign = (share: ShareRecord, id: string, until: string) =>
    createHmac('sha256', key)
      .update(JSON.stringify([share.tokenHash.toString('base64url'), share.sealedCode, id, until]))
      .digest();

  return {
    /** The visitor of a request, if their cookie opens the share as it is now. */
    find(share: ShareRecord, request: FastifyRequest): Visitor | null {
      const [id = '', until = '', signature = ''] = (request.cookies[cookieOf(share)] ?? '').split('.');
      const expected = sign(share, id, until);
      const given = Buffer.from(signature, 'base64url');
      const isValid = given.length === expected.length && timingSafeEqual(given, expected);
      if (!isValid || Number(until) <= clock.now().getTime()) return null;
      return { key: hashed(id), address: request.ip };
    },

    /** The cookie of a share in a request. */
    cookie(share: ShareRecord, request: FastifyRequest): { name: string; value: string } {
      const name = cookieOf(share);
      return { name, value: request.cookies[name] ?? '' };
    },

    /** A visitor without a cookie, such as a download program: their address and program stand for them. */
    unknown: (request: FastifyRequest): Visitor => ({
      key: hashed(`${request.ip} ${request.headers['user-agent'] ?? ''}`),
      address: request.ip,
    }),

    /** Remembers a visitor in their browser. */
    give(share: ShareRecord, request: FastifyRequest, reply: FastifyReply): void {
      const id = randomBytes(16).toString('base64url');
      const until = String(clock.now().getTime() + HOURS * 3_600_000);
      void reply.setCookie(cookieOf(share), `${id}.${until}.${sign(share, id, until).toString('base64url')}`, {
        ...{ path: '/api/unauth/share', httpOnly: true, sameSite: 'lax', maxAge: HOURS * 3_600 },
        secure: isPublicHttps || request.protocol === 'https',
      });
    },
  };
}

function cookieOf({ tokenHash }: ShareRecord): string {
  return `share-${tokenHash.toString('base64url').slice(0, 12)}`;
}

function hashed(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 22);
}
