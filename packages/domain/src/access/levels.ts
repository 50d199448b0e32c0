/** Access levels of roles and items: 0 is the highest, 5 the lowest (spec §6). */
export type Level = 0 | 1 | 2 | 3 | 4 | 5;

/** True for the numbers 0 to 5. */
export function isLevel(value: unknown): value is Level {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 5;
}

/** The areas in which a role has read, write and download levels (spec §3, Role). */
export const LEVEL_AREAS = ['user', 'device', 'params', 'wiki', 'attachment'] as const;
export type LevelArea = (typeof LEVEL_AREAS)[number];

export const LEVEL_VERBS = ['read', 'write', 'download'] as const;
export type LevelVerb = (typeof LEVEL_VERBS)[number];

/** The levels of a role: one for every area and verb. */
export type Levels = Record<LevelArea, Record<LevelVerb, Level>>;

/** The same level in every area: root has `levelsAll(0)`; `levelsAll(5)` is the minimum. */
export function levelsAll(level: Level): Levels {
  const one = { read: level, write: level, download: level };
  return { user: { ...one }, device: { ...one }, params: { ...one }, wiki: { ...one }, attachment: { ...one } };
}

/** True when level `held` meets level `required`. A smaller number is a higher level. */
export function levelSuffices(held: Level, required: Level): boolean {
  return held <= required;
}

/** A required level in one area. */
export interface RequiredLevel {
  area: LevelArea;
  verb: LevelVerb;
  level: Level;
}

/** True when the levels meet all required levels. */
export function meets(levels: Levels, required: readonly RequiredLevel[]): boolean {
  return required.every(({ area, verb, level }) => levelSuffices(levels[area][verb], level));
}

/** A control item's level must be greater than its write level (spec §5). */
export function controlLevelIsValid(controlLevel: Level, writeLevel: Level): boolean {
  return controlLevel > writeLevel;
}
