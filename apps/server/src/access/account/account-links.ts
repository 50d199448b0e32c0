import { randomBytes } from 'node:crypto';
import { INVITATION_HOURS, RESET_LINK_HOURS } from '@chargehand/contract';
import type { Kysely } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/schema.ts';
import { hashToken } from '../guard.ts';
import { type LinkPurpose, putLink } from './account-links.store.ts';

const HOURS: Record<LinkPurpose, number> = {
  resetPassword: RESET_LINK_HOURS,
  invitation: INVITATION_HOURS,
  changeEmail: RESET_LINK_HOURS,
};

/** Creates the secret link of an account. Only the mail contains the token; the database stores its hash. */
export async function makeLink(
  trx: Kysely<Database>,
  clock: Clock,
  link: { userId: number; purpose: LinkPurpose; email: string },
): Promise<{ token: string; until: Date }> {
  const token = randomBytes(32).toString('base64url');
  const until = new Date(clock.now().getTime() + HOURS[link.purpose] * 3_600_000);
  await putLink(trx, { ...link, tokenHash: hashToken(token), expiresAt: until });
  return { token, until };
}
