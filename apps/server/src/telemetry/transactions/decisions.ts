import type { SessionDecision } from '@chargehand/contract';
import type { Decided } from '../../ports/devices/authorizer.ts';

/** A decision about the token of a session as JSON for the database; null without one. */
export function storedDecision(decided: Decided | undefined): string | null {
  if (!decided) return null;
  const { status, reason, applied, tokenId, at } = decided;
  const stored: SessionDecision = { status, reason, ...applied, tokenId, at: at.toISOString() };
  return JSON.stringify(stored);
}
