import {
  type CommandKind,
  commandLevels,
  type DeviceRights,
  deviceLevels,
  type Level,
  type LevelArea,
  type Levels,
  type LevelVerb,
  type ModelLevels,
  meets,
  type RequiredLevel,
} from '@chargehand/domain';
import type { LevelPolicy, Policy } from './policy.ts';

/** Rights with the same required levels for every device model. */
const MODEL_FREE: ReadonlySet<string> = new Set<keyof DeviceRights>(['read', 'edit', 'download']);
const LEAST_MODEL: ModelLevels = { parameterRead: 5, parameterWrite: 5, control: 5 };

/** The levels of a row that has its own, in its area: a document, a folder or a file. */
export interface OwnLevels extends Record<LevelVerb, Level> {
  area: LevelArea;
}

/**
 * The levels that a policy requires on a row; null if they depend on a device model and there is no device. Without a
 * kind, `command` is a command with the control level of the model. Without a row, its own levels require nothing.
 */
export function levelsNeeded(
  level: LevelPolicy | undefined,
  model: ModelLevels | null,
  kind: CommandKind | null,
  own: OwnLevels | null = null,
): readonly RequiredLevel[] | null {
  if (level === undefined) return [];
  if (typeof level === 'object' && 'own' in level) {
    return own ? [{ area: own.area, verb: level.own, level: own[level.own] }] : [];
  }
  if (typeof level === 'object' && !('command' in level) && !('items' in level)) return level;
  if (typeof level === 'object' && 'command' in level) {
    if (!model) return null;
    return kind ? commandLevels(model, kind, 'standard') : deviceLevels(model).control;
  }
  const right = typeof level === 'object' ? level.items : level;
  if (!model && !MODEL_FREE.has(right)) return null;
  return deviceLevels(model ?? LEAST_MODEL)[right];
}

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
  const needed = levelsNeeded(level, model, null);
  return needed !== null && meets(role.levels, needed);
}
