import { refresh } from '../../shared/api/query.ts';

/** Fetches again what shows entries of dictionaries, after a change here. */
export function refreshDictionaries(): Promise<unknown> {
  return Promise.all([
    refresh('listDictionary', 'listDictionaryChanges', 'readDictionaryNames'),
    refresh('listRegionEntries', 'listRegions'),
  ]);
}
