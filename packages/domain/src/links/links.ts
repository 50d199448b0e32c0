import type { ExecutionReason, ExecutionResult } from '../operations/executions.ts';
import type { TaskEvent, TaskRules } from '../operations/tasks.ts';

/**
 * Kinds of links to a device: a terminal (`ssh`), its local web pages (`web`), or the use of its SSH server from the
 * user's own computer (`vpn`).
 */
export const LINK_KINDS = ['ssh', 'web', 'vpn'] as const;
export type LinkKind = (typeof LINK_KINDS)[number];

/**
 * The state of a link. `requested`: it waits for a second person, or for the device to accept control 7; `waiting`: the
 * device accepted and has not connected yet; `open`: the tunnel is up; `ended`: final.
 */
export const LINK_STATES = ['requested', 'waiting', 'open', 'ended'] as const;
export type LinkState = (typeof LINK_STATES)[number];

/** Why a link ended. Each has a text in both languages in the contract. */
export const LINK_ENDS = [
  'expired',
  'destroyed',
  'notApproved',
  'accessRevoked',
  'deviceDisabled',
  'deviceOffline',
  'notSupported',
  'executionTimeout',
  'vpnError',
  'connectFailed',
  'closedByDevice',
  'lost',
] as const;
export type LinkEnd = (typeof LINK_ENDS)[number];

export type LinkEvent = TaskEvent<LinkState, LinkEnd>;

const NEVER_OPENED = { reason: 'connectFailed', afterMs: 0 } as const;

/**
 * A link is accepted with control 7, and open when the device has connected with its ticket and opened its forwards, which
 * may be earlier than its response. Its times are in `linkEnd`.
 */
export const LINK_RULES: TaskRules<LinkState, LinkEnd> = {
  accepted: 'waiting',
  running: ['open'],
  ends: { done: 'ended', failed: 'ended', timedOut: 'ended' },
  evidence: {
    disconnected: { requested: NEVER_OPENED, accepted: NEVER_OPENED, open: { reason: 'closedByDevice', afterMs: 0 } },
    lost: { requested: NEVER_OPENED, accepted: NEVER_OPENED, open: { reason: 'lost', afterMs: 0 } },
  },
  timeout: () => 'expired',
};

/** The facts that end a link without a request of a user. */
export interface LinkFacts {
  state: LinkState;
  until: Date;
  /** until when the device can use its ticket; null before the ticket was sent */
  ticketUntil: Date | null;
  /** the link waits for a second person until this time; null when it does not */
  approvalUntil: Date | null;
  /** device, site and customer are enabled */
  deviceEnabled: boolean;
  /** the user who requested it may still use such a link to this device */
  permitted: boolean;
  /** the result of control 7; null before it was sent */
  execution: { result: ExecutionResult; reason: ExecutionReason | null } | null;
}

/** Why a link that has not ended must end at `now`; null: it goes on. */
export function linkEnd(facts: LinkFacts, now: Date): LinkEnd | null {
  if (!facts.deviceEnabled) return 'deviceDisabled';
  if (!facts.permitted) return 'accessRevoked';
  if (facts.until <= now) return 'expired';
  if (facts.state === 'open') return null;
  if (facts.approvalUntil !== null) return facts.approvalUntil <= now ? 'notApproved' : null;
  const failed = facts.execution && endAfterExecution(facts.execution);
  if (failed) return failed;
  return facts.ticketUntil !== null && facts.ticketUntil <= now ? 'connectFailed' : null;
}

/** The error of spec §8 that the result of control 7 means; null while it waits, and when the device accepted it. */
export function endAfterExecution(execution: {
  result: ExecutionResult;
  reason: ExecutionReason | null;
}): LinkEnd | null {
  switch (execution.result) {
    case 'waiting':
    case 'success':
      return null;
    case 'offline':
      return 'deviceOffline';
    case 'timeout':
      return 'executionTimeout';
    case 'failure':
      break;
  }
  switch (execution.reason) {
    case 'notSupported':
    case 'unknownVendor':
    case 'unknownMessage':
      return 'notSupported';
    case 'deviceDisabled':
      return 'deviceDisabled';
    case 'notSent':
      return 'executionTimeout';
    // A response that cannot be read does not say that the device will not connect.
    case 'badAnswer':
      return null;
    default:
      return 'vpnError';
  }
}
