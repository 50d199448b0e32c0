/** Who may charge at a place: every token, or only known ones. */
export const TOKEN_POLICIES = ['everyone', 'known'] as const;
export type TokenPolicy = (typeof TOKEN_POLICIES)[number];

/** Where a policy is set; `default` when it is set nowhere. */
export const POLICY_LEVELS = ['device', 'site', 'customer', 'default'] as const;
export type PolicyLevel = (typeof POLICY_LEVELS)[number];

/** What customers have that existed before there were policies. */
export const DEFAULT_TOKEN_POLICY: TokenPolicy = 'everyone';

export interface AppliedPolicy {
  policy: TokenPolicy;
  level: PolicyLevel;
}

/** The policy that applies to a device: the closest one. */
export function policyFor(
  customer: TokenPolicy | null,
  site: TokenPolicy | null,
  device: TokenPolicy | null,
): AppliedPolicy {
  if (device !== null) return { policy: device, level: 'device' };
  if (site !== null) return { policy: site, level: 'site' };
  if (customer !== null) return { policy: customer, level: 'customer' };
  return { policy: DEFAULT_TOKEN_POLICY, level: 'default' };
}

/** AuthorizationStatusEnumType of OCPP 2.0.1 (part 2 §3.3), as far as lists of tokens decide. */
export const TOKEN_STATUSES = [
  'Accepted',
  'Blocked',
  'ConcurrentTx',
  'Expired',
  'Invalid',
  'NotAtThisLocation',
  'NotAtThisTime',
  'Unknown',
] as const;
export type TokenStatus = (typeof TOKEN_STATUSES)[number];

/** Why a token got its status. */
export const TOKEN_REASONS = [
  'everyone',
  'noAuthorization',
  'remoteStart',
  'known',
  'unknown',
  'otherType',
  'blocked',
  'blockedSince',
  'expired',
  'notYet',
  'otherSite',
  'concurrent',
] as const;
export type TokenReason = (typeof TOKEN_REASONS)[number];

/** A token of the list, as far as it decides. */
export interface ListedToken {
  type: string;
  /** parentIdTag or groupIdToken */
  group: string | null;
  validFrom: Date | null;
  validUntil: Date | null;
  blockedAt: Date | null;
  /** it may be used in several charging sessions at the same time */
  concurrent: boolean;
  /** it is valid at the site of the device */
  atSite: boolean;
}

export interface PresentedToken {
  value: string;
  /** null: the protocol has no types (OCPP 1.6) */
  type: string | null;
  /** `start` opens a session; only there another open session matters (OCPP 1.6 §7.2, 2.0.1 part 2 §3.3) */
  purpose: 'authorize' | 'start' | 'use';
  /** when it was presented, which is earlier than now when the device was offline */
  at: Date;
}

export interface TokenFacts {
  applied: AppliedPolicy;
  /** null: not in the list of the customer */
  token: ListedToken | null;
  /** a remote start of the product named this value */
  remoteStart: boolean;
  /** it is in another open session */
  openElsewhere: boolean;
}

export interface TokenDecision {
  status: TokenStatus;
  reason: TokenReason;
  applied: AppliedPolicy;
  group: string | null;
  /** until when a device may rely on the answer */
  until: Date | null;
}

/**
 * Decides about a presented token. Blocking takes effect at once, also for a session that began before and is reported
 * later; the period of validity is judged by the time at which the token was presented.
 */
export function decideToken(presented: PresentedToken, facts: TokenFacts): TokenDecision {
  const { applied, token } = facts;
  const answer = (status: TokenStatus, reason: TokenReason): TokenDecision => ({
    ...{ status, reason, applied },
    group: token?.group ?? null,
    until: status === 'Accepted' ? (token?.validUntil ?? null) : null,
  });
  // OCPP 2.0.1 C02: a station that needs no identifier, such as one with a start button, says so.
  if (presented.type === 'NoAuthorization') return answer('Accepted', 'noAuthorization');
  if (applied.policy === 'everyone') return { ...answer('Accepted', 'everyone'), until: null };
  if (!token) return facts.remoteStart ? answer('Accepted', 'remoteStart') : answer('Unknown', 'unknown');
  if (presented.type !== null && presented.type.toLowerCase() !== token.type.toLowerCase() && !facts.remoteStart)
    return answer('Invalid', 'otherType');
  if (token.blockedAt !== null) return answer('Blocked', token.blockedAt > presented.at ? 'blockedSince' : 'blocked');
  if (token.validUntil !== null && token.validUntil <= presented.at) return answer('Expired', 'expired');
  if (token.validFrom !== null && token.validFrom > presented.at) return answer('NotAtThisTime', 'notYet');
  if (!token.atSite) return answer('NotAtThisLocation', 'otherSite');
  if (presented.purpose === 'start' && facts.openElsewhere && !token.concurrent)
    return answer('ConcurrentTx', 'concurrent');
  return answer('Accepted', 'known');
}

/** AuthorizationStatus of OCPP 1.6 (§7.2), which has fewer words: what else is refused is Invalid there. */
export function statusIn16(status: TokenStatus): 'Accepted' | 'Blocked' | 'Expired' | 'Invalid' | 'ConcurrentTx' {
  switch (status) {
    case 'Accepted':
    case 'Blocked':
    case 'Expired':
    case 'ConcurrentTx':
      return status;
    default:
      return 'Invalid';
  }
}
