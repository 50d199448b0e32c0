import type { Levels, ModelLevels } from '@chargehand/domain';
import { decide, refusalOf } from './decide.ts';
import type { LevelPolicy, Policy } from './policy.ts';

/** The role requirements of a policy: one of these permission keys, and the level. */
export interface RolePolicy {
  keys: readonly string[];
  level?: LevelPolicy;
}

/** The role requirements of a policy; null if every user, or every visitor, may make the call. */
export function rolePolicy(policy: Policy): RolePolicy | null {
  if (typeof policy.route === 'string') return null;
  const level = 'level' in policy ? policy.level : undefined;
  return { keys: policy.route.keys, ...(level === undefined ? {} : { level }) };
}

/**
 * True if a role may make a call, for rows within its scope. `model` contains the levels of the device model; a command
 * has the control level of the model.
 */
export function roleMayCall(
  { keys, level }: RolePolicy,
  role: { root: boolean; keys: ReadonlySet<string>; levels: Levels },
  model: ModelLevels,
): boolean {
  if (!role.root && !keys.some((key) => role.keys.has(key))) return false;
  const rights = { ...role, ...ANYWHERE };
  const policy = { route: 'common', row: 'scope', ...(level === undefined ? {} : { level }) } as const;
  return refusalOf(decide(policy, rights, { rows: [{ customerId: null, model, described: false }] })) === null;
}

/** The role's rows are not decided here. */
const ANYWHERE = {
  customerId: 0,
  platformVendor: true,
  scope: { customers: 'all', sites: 'all' },
  remoteAccess: 0,
} as const;
