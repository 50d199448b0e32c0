import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LEVEL_VERBS, type Level, levelsAll } from '../access/levels.ts';
import {
  type FileLevels,
  FOLDER_DEPTH,
  type FolderPlace,
  folderMoveFault,
  foldersBelow,
  foldersUpFrom,
  levelBelowFolder,
  levelNotHeld,
  levelsWithin,
} from './attachments.ts';

const levels = (read: Level, write: Level, download: Level): FileLevels => ({ read, write, download });

describe('the levels of a file in a folder', () => {
  test.each([
    ['outside of folders', levels(5, 4, 5), null, levels(5, 4, 5)],
    ['in an open folder', levels(2, 2, 2), levels(5, 5, 5), levels(2, 2, 2)],
    ['in a strict folder', levels(5, 4, 5), levels(2, 1, 3), levels(2, 1, 3)],
    ['each verb separately', levels(1, 4, 5), levels(3, 3, 3), levels(1, 3, 3)],
  ])('%s', (_, own, folder, expected) => expect(levelsWithin(own, folder)).toEqual(expected));

  test.each([
    [levels(3, 3, 3), levels(3, 3, 3), null],
    [levels(2, 1, 0), levels(3, 3, 3), null],
    [levels(4, 3, 3), levels(3, 3, 3), 'read'],
    [levels(3, 4, 3), levels(3, 3, 3), 'write'],
    [levels(3, 3, 4), levels(3, 3, 3), 'download'],
    [levels(5, 5, 5), null, null],
  ])('%j in %j: %s is lower', (own, folder, verb) => expect(levelBelowFolder(own, folder)).toBe(verb));

  test('a user sets only levels that they hold', () => {
    expect(levelNotHeld(levelsAll(3), levels(3, 4, 5))).toBeNull();
    expect(levelNotHeld(levelsAll(3), levels(3, 2, 5))).toBe('write');
  });
});

const level = fc.constantFrom<Level>(0, 1, 2, 3, 4, 5);
const someLevels = fc.record({ read: level, write: level, download: level });

test('moving a file through any folders never lowers a level, and ends within the last folder', () => {
  fc.assert(
    fc.property(someLevels, fc.array(someLevels, { minLength: 1 }), (own, folders) => {
      const moved = folders.reduce((now, folder) => levelsWithin(now, folder), own);
      for (const verb of LEVEL_VERBS) expect(moved[verb]).toBeLessThanOrEqual(own[verb]);
      expect(levelBelowFolder(moved, folders.at(-1) ?? null)).toBeNull();
    }),
  );
});

describe('the tree of folders', () => {
  const tree: FolderPlace[] = [
    { id: 1, parentId: null },
    { id: 2, parentId: 1 },
    { id: 3, parentId: 2 },
    { id: 4, parentId: null },
  ];
  const ids = (folders: FolderPlace[]) => folders.map(({ id }) => id);

  test('from a folder up and down', () => {
    expect(ids(foldersUpFrom(tree, 3))).toEqual([3, 2, 1]);
    expect(ids(foldersUpFrom(tree, null))).toEqual([]);
    expect(ids(foldersBelow(tree, 1))).toEqual([1, 2, 3]);
    expect(ids(foldersBelow(tree, 9))).toEqual([]);
  });

  test.each([
    [1, 4, null],
    [3, null, null],
    [1, 1, 'belowItself'],
    [1, 3, 'belowItself'],
  ] as const)('%s below %s: %s', (id, parentId, fault) => expect(folderMoveFault(tree, id, parentId)).toBe(fault));

  test('has a maximum depth', () => {
    const deep = Array.from({ length: FOLDER_DEPTH }, (_, index) => ({ id: index + 1, parentId: index || null }));
    expect(folderMoveFault([...deep, { id: 99, parentId: null }], 99, FOLDER_DEPTH)).toBe('tooDeep');
    expect(folderMoveFault([...deep, { id: 99, parentId: null }], 99, FOLDER_DEPTH - 1)).toBeNull();
    expect(folderMoveFault([...deep, { id: 99, parentId: null }], 1, 99)).toBe('tooDeep');
  });

  test('stays a tree after any allowed moves', () => {
    const moves = fc.array(fc.tuple(fc.integer({ min: 1, max: 6 }), fc.option(fc.integer({ min: 1, max: 6 }))));
    fc.assert(
      fc.property(moves, (wanted) => {
        let folders: FolderPlace[] = [1, 2, 3, 4, 5, 6].map((id) => ({ id, parentId: null }));
        for (const [id, parentId] of wanted) {
          if (folderMoveFault(folders, id, parentId)) continue;
          folders = folders.map((folder) => (folder.id === id ? { id, parentId } : folder));
        }
        for (const { id } of folders) expect(foldersUpFrom(folders, id).at(-1)?.parentId).toBeNull();
      }),
    );
  });
});
