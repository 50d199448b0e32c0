import { LEVEL_VERBS, type Level, type Levels, type LevelVerb, levelSuffices } from '../access/levels.ts';

/** The kinds of stored files (spec §3). */
export const ATTACHMENT_TYPES = ['normal', 'firmware', 'log', 'issue'] as const;
export type AttachmentType = (typeof ATTACHMENT_TYPES)[number];

/** The objects that use a file, besides its folder. */
export const ATTACHMENT_USES = ['document', 'device', 'issue'] as const;
export type AttachmentUse = (typeof ATTACHMENT_USES)[number];

/**
 * What is known about viruses in a file. `unscanned`: scanning is off, or was off when it was stored. `tooLarge`: larger
 * than the scanner accepts.
 */
export const SCAN_STATES = ['unscanned', 'waiting', 'clean', 'infected', 'tooLarge'] as const;
export type ScanState = (typeof SCAN_STATES)[number];

/** How long deleted files and folders can be restored. Days. */
export const TRASH_DAYS = 30;

/** Maximum depth of the tree of folders. */
export const FOLDER_DEPTH = 16;

/** Maximum number of folders of one customer: the console shows the whole tree. */
export const MOST_FOLDERS = 2_000;

/** Maximum number of files that are copied with a folder: copies of a customer wait for each other. */
export const MOST_COPIED_FILES = 10_000;

/** The space for the files of one customer unless another one is set. Bytes. */
export const DEFAULT_QUOTA = 50 * 1024 ** 3;

/** The levels that are needed to see, change and download a file or a folder. */
export type FileLevels = Record<LevelVerb, Level>;

/** The levels of new files and folders when neither the user nor the folder sets others. */
export const DEFAULT_FILE_LEVELS: FileLevels = { read: 5, write: 4, download: 5 };

/** The level that is needed to add files and folders outside of any folder. */
export const TOP_WRITE_LEVEL: Level = 4;

/**
 * The levels of a file or a folder inside a folder: for each verb the higher of both. A level is never lower than the
 * folder's (spec §5), and a smaller number is a higher level. Being put into a folder can raise levels and never lowers
 * them: moving a file into an open folder does not publish it.
 */
export function levelsWithin(own: FileLevels, folder: FileLevels | null): FileLevels {
  if (!folder) return own;
  const higher = (verb: LevelVerb) => Math.min(own[verb], folder[verb]) as Level;
  return { read: higher('read'), write: higher('write'), download: higher('download') };
}

/** The first verb whose level is lower than the folder's; null when all are allowed. */
export function levelBelowFolder(levels: FileLevels, folder: FileLevels | null): LevelVerb | null {
  return LEVEL_VERBS.find((verb) => folder !== null && levels[verb] > folder[verb]) ?? null;
}

/** The first verb for which a user would require a level that they do not hold; null when there is none. */
export function levelNotHeld(levels: Levels, required: FileLevels): LevelVerb | null {
  return LEVEL_VERBS.find((verb) => !levelSuffices(levels.attachment[verb], required[verb])) ?? null;
}

/** A folder in a tree. */
export interface FolderPlace {
  id: number;
  parentId: number | null;
}

/** The folders from a folder up to the top, itself first. */
export function foldersUpFrom<F extends FolderPlace>(folders: readonly F[], id: number | null): F[] {
  const byId = new Map(folders.map((folder) => [folder.id, folder]));
  const path: F[] = [];
  for (let at = id; at !== null; ) {
    const folder = byId.get(at);
    // A loop cannot be stored; without this check one would never end.
    if (!folder || path.includes(folder)) break;
    path.push(folder);
    at = folder.parentId;
  }
  return path;
}

/** A folder and all folders below it, parents before their children. */
export function foldersBelow<F extends FolderPlace>(folders: readonly F[], id: number): F[] {
  const children = new Map<number | null, F[]>();
  for (const folder of folders) children.set(folder.parentId, [...(children.get(folder.parentId) ?? []), folder]);
  const found = folders.filter((folder) => folder.id === id);
  const seen = new Set(found);
  for (const { id: parent } of found) {
    for (const child of children.get(parent) ?? []) {
      if (seen.has(child)) continue;
      seen.add(child);
      found.push(child);
    }
  }
  return found;
}

/** Why a folder cannot be moved below another one; null when it can. */
export function folderMoveFault(
  folders: readonly FolderPlace[],
  id: number,
  parentId: number | null,
): 'belowItself' | 'tooDeep' | null {
  const above = foldersUpFrom(folders, parentId);
  if (above.some((folder) => folder.id === id)) return 'belowItself';
  const below = foldersBelow(folders, id);
  const height = Math.max(1, ...below.map((folder) => heightBetween(folders, folder.id, id)));
  return above.length + height > FOLDER_DEPTH ? 'tooDeep' : null;
}

/** The number of folders on the way from one up to another one, both included. */
function heightBetween(folders: readonly FolderPlace[], from: number, to: number): number {
  return foldersUpFrom(folders, from).findIndex((folder) => folder.id === to) + 1;
}
