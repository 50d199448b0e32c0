import { BlockList, isIPv6 } from 'node:net';
import type { ExplainReason, OpenEndpoint } from '@chargehand/contract';
import { applicationState, mayCall } from '@chargehand/domain';
import { Problem } from '../../platform/http/problem.ts';
import type { CallingApplication } from './callers.store.ts';

/** One step of the decision about a request of an application, for real requests and for explanations. */
export interface Decided {
  reason: ExplainReason;
  /** null: the request goes on */
  problem: Problem | null;
}

const admitted = (reason: ExplainReason): Decided => ({ reason, problem: null });

/** Is the application enabled, not expired, and has it a user? */
export function decideState(application: CallingApplication, now: Date): Decided {
  const state = applicationState(application, now);
  if (state === 'enabled') return admitted('applicationEnabled');
  if (state === 'userMissing') return { reason: 'applicationUser', problem: userUnusable() };
  const reason = state === 'disabled' ? 'applicationDisabled' : 'applicationExpired';
  return { reason, problem: new Problem(reason, { status: 403 }) };
}

/** May the application be used from this address? */
export function decideAddress({ allowedAddresses }: CallingApplication, address: string): Decided {
  if (allowedAddresses.length === 0) return admitted('anyAddress');
  if (isAllowedFrom(allowedAddresses, address)) return admitted('addressAllowed');
  return { reason: 'addressRefused', problem: new Problem('applicationAddress', { status: 403, values: { address } }) };
}

/** Is the request within the limit? `calls` are those of this minute, including the request. */
export function decideRate({ rateLimit: limit }: CallingApplication, calls: number, now: Date): Decided {
  if (calls <= limit) return admitted('withinRate');
  const seconds = 60 - Math.floor((now.getTime() % 60_000) / 1_000);
  const problem = new Problem('applicationRate', { status: 429, values: { limit, seconds } });
  return { reason: 'rateReached', problem };
}

/** Was the operation chosen for the application? */
export function decideOperation({ allowedOperations }: CallingApplication, operation: OpenEndpoint): Decided {
  if (mayCall(operation.id, allowedOperations, true)) return admitted('operationAllowed');
  return { reason: 'operationMissing', problem: operationForbidden(operation) };
}

/** Are there types of events that the application may receive? */
export function decideEvents(types: ReadonlySet<string>, operation: Pick<OpenEndpoint, 'id'>): Decided {
  return types.size > 0 ? admitted('someEvents') : { reason: 'noEvents', problem: operationForbidden(operation) };
}

/** The error when the user of an application is deleted or disabled. */
export function userUnusable(): Problem {
  return new Problem('applicationUser', { status: 403 });
}

/** The error when an application or its user may not use an operation. */
export function operationForbidden({ id: operation }: Pick<OpenEndpoint, 'id'>): Problem {
  return new Problem('applicationForbidden', { status: 403, values: { operation } });
}

/** True if an address is in one of the networks, or there are none. IPv4 in IPv6 counts as IPv4. */
export function isAllowedFrom(networks: readonly string[], address: string): boolean {
  if (networks.length === 0) return true;
  const list = new BlockList();
  for (const network of networks) {
    const [base = '', bits] = network.split('/');
    const family = isIPv6(base) ? 'ipv6' : 'ipv4';
    if (bits === undefined) list.addAddress(base, family);
    else list.addSubnet(base, Number(bits), family);
  }
  const plain = address.replace(/^::ffff:(\d{1,3}\.)/i, '$1');
  return list.check(plain, isIPv6(plain) ? 'ipv6' : 'ipv4');
}
