import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { S3Problem } from '../protocol/problem.ts';
import type { Grant, TemporaryCredentials } from '../store.ts';

/** The action of a request, with the names of S3's policies. */
export type ObjectAction = 'GetObject' | 'PutObject' | 'DeleteObject' | 'ListBucket';

/** The grant of the operator's own key: everything. */
export const EVERYTHING = 'everything';

/** True when a grant allows an action on a key. Temporary credentials never allow listing or deleting. */
export function admits(grant: Grant | typeof EVERYTHING, action: ObjectAction, bucket: string, key: string): boolean {
  if (grant === EVERYTHING) return true;
  const wanted = grant.mode === 'read' ? 'GetObject' : 'PutObject';
  return action === wanted && grant.bucket === bucket && grant.prefixes.some((prefix) => key.startsWith(prefix));
}

interface Ticket {
  /** the access key's id */
  id: string;
  /** seconds since 1970 */
  until: number;
  grant: Grant;
}

/**
 * Temporary credentials that contain their permissions: the session token is the grant and its expiry, signed with the
 * key of the installation, so that nothing is stored and they stay valid after a restart. The secret is derived from the
 * token.
 */
export function credentialIssuer(key: Buffer) {
  const mac = (purpose: string, text: string) =>
    createHmac('sha256', key).update(`${purpose}:${text}`).digest('base64url');
  return {
    issue(grant: Grant, seconds: number, now = Date.now()): TemporaryCredentials {
      const until = Math.floor(now / 1000) + seconds;
      const ticket: Ticket = { id: `TEMP${randomBytes(8).toString('hex').toUpperCase()}`, until, grant };
      const content = Buffer.from(JSON.stringify(ticket)).toString('base64url');
      const sessionToken = `${content}.${mac('token', content)}`;
      return {
        accessKeyId: ticket.id,
        secretAccessKey: mac('secret', sessionToken),
        sessionToken,
        expiration: new Date(until * 1000),
      };
    },

    /** The grant of a token and its secret. @throws S3Problem InvalidToken, ExpiredToken, InvalidAccessKeyId */
    open(accessKeyId: string, token: string, now = Date.now()): { grant: Grant; secretAccessKey: string } {
      const [content = '', signature = ''] = token.split('.');
      if (!isSame(signature, mac('token', content))) throw new S3Problem('InvalidToken');
      const ticket: Ticket = JSON.parse(Buffer.from(content, 'base64url').toString());
      if (ticket.id !== accessKeyId) throw new S3Problem('InvalidAccessKeyId');
      if (ticket.until * 1000 <= now) throw new S3Problem('ExpiredToken');
      return { grant: ticket.grant, secretAccessKey: mac('secret', token) };
    },
  };
}
export type CredentialIssuer = ReturnType<typeof credentialIssuer>;

/** Compares in constant time. */
export function isSame(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}
