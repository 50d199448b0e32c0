import {
  type CommandKind,
  commandLevels,
  type DeviceRights,
  deviceLevels,
  type Level,
  type LevelArea,
  type LevelVerb,
  type ModelLevels,
  type RequiredLevel,
} from '@chargehand/domain';
import type { LevelPolicy } from './policy.ts';

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
