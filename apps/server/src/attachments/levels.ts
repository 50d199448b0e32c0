import {
  DEFAULT_FILE_LEVELS,
  type FileLevels,
  type Level,
  type Levels,
  levelBelowFolder,
  levelNotHeld,
  levelsWithin,
} from '@chargehand/domain';
import { Problem } from '../platform/http/problem.ts';

/** The levels that a user entered. */
export interface EnteredLevels {
  readLevel?: Level | undefined;
  writeLevel?: Level | undefined;
  downloadLevel?: Level | undefined;
}

/**
 * The levels of a file or a folder after a user entered some: those entered, otherwise the current ones, or for a new
 * row the defaults within the folder.
 * @throws {Problem} when one is lower than the folder's, or one that the user does not hold
 */
export function enteredLevels(
  caller: { levels: Levels },
  entered: EnteredLevels,
  folder: FileLevels | null,
  current: FileLevels = levelsWithin(DEFAULT_FILE_LEVELS, folder),
): FileLevels {
  const levels: FileLevels = {
    read: entered.readLevel ?? current.read,
    write: entered.writeLevel ?? current.write,
    download: entered.downloadLevel ?? current.download,
  };
  const below = levelBelowFolder(levels, folder);
  if (below && folder) {
    throw new Problem('attachmentLevelBelowFolder', { field: `${below}Level`, values: { level: folder[below] } });
  }
  const changed = { ...levels };
  for (const verb of ['read', 'write', 'download'] as const) if (levels[verb] === current[verb]) changed[verb] = 5;
  const missing = levelNotHeld(caller.levels, changed);
  if (missing) throw new Problem('attachmentLevelExceeds', { field: `${missing}Level` });
  return levels;
}
