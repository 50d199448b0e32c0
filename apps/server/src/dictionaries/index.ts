import type { Room } from '../platform/room.ts';
import { dictionariesRoutes } from './dictionaries.routes.ts';
import { type DictionariesParts, dictionariesService } from './dictionaries.service.ts';
import './tables.ts';

export type { DictionariesParts } from './dictionaries.service.ts';
export { keepDictionary, storedValues } from './dictionaries.store.ts';
export { canBeChosen, readDictionary, readLabelNames, storedLabels } from './names.ts';

/** Names that an installation can change, with their history. */
export function dictionariesRoom(parts: DictionariesParts): Room {
  return { name: 'dictionaries', routes: (app) => dictionariesRoutes(app, dictionariesService(parts)) };
}
