import { createHmac, timingSafeEqual } from 'node:crypto';
import { SIGNED_URL_SECONDS } from '@chargehand/contract';

/** A file, the user in whose name a link downloads it, and when the link ends. */
export interface LinkClaim {
  fileId: number;
  userId: number;
  until: Date;
}

/** The tokens of download links: what they give, in plain text, and a signature with a key of the installation. */
export function linkTokens(key: string) {
  const sign = (text: string) => createHmac('sha256', key).update(`download ${text}`).digest();

  return {
    make({ fileId, userId, until }: LinkClaim): string {
      const text = [fileId, userId, Math.floor(until.getTime() / 1_000)].map((one) => one.toString(36)).join('.');
      return `${text}.${sign(text).toString('base64url')}`;
    },

    /** Null for a token that this installation did not make. The caller checks the time. */
    read(token: string): LinkClaim | null {
      const match = /^(([0-9a-z]{1,11})\.([0-9a-z]{1,7})\.([0-9a-z]{1,8}))\.([\w-]{43})$/.exec(token);
      if (!match) return null;
      const [, text = '', fileId = '', userId = '', until = '', signature = ''] = match;
      if (!timingSafeEqual(sign(text), Buffer.from(signature, 'base64url'))) return null;
      const [file, user, seconds] = [fileId, userId, until].map((one) => Number.parseInt(one, 36)) as [
        number,
        number,
        number,
      ];
      return { fileId: file, userId: user, until: new Date(seconds * 1_000) };
    },
  };
}

/** True while a link is valid. No link is valid for more than an hour from now, whatever its token says. */
export function isValidAt({ until }: LinkClaim, now: Date): boolean {
  const left = until.getTime() - now.getTime();
  return left > 0 && left <= SIGNED_URL_SECONDS * 1_000;
}
