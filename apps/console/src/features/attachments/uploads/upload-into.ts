import { type AttachmentType, nameKey, normalName } from '@chargehand/domain';
import { call } from '../../../shared/api/client.ts';
import { ApiProblem } from '../../../shared/api/problem.ts';
import { refresh } from '../../../shared/api/query.ts';
import type { PlacedFile } from '../../../shared/lib/files/dropped.ts';
import { unfinishedUploads } from '../../../shared/storage/unfinished-uploads.ts';
import { uploadQueue } from './upload-queue.ts';

interface Place {
  id: number | null;
  name: string;
  /** as in `UploadTarget` */
  customerId?: number | null | undefined;
}

/**
 * Queues files for upload into a folder. Their own folders are added below it first, or found there.
 * @throws ApiProblem when a folder could not be added; then nothing is queued
 */
export async function uploadInto(files: readonly PlacedFile[], folder: Place, type: AttachmentType): Promise<void> {
  const places = await foldersFor(files, folder);
  const queue = uploadQueue();
  const byPlace = Map.groupBy(files, ({ path }) => path.join('/'));
  for (const [path, ofPlace] of byPlace) {
    const place = places.get(path) ?? folder;
    const { customerId } = folder;
    const target = { folderId: place.id, folderName: place.name, type };
    queue.add(ofPlace, customerId === undefined ? target : { ...target, customerId });
  }
  unfinishedUploads.set(true);
}

/** The folder of each path, parents first. */
async function foldersFor(files: readonly PlacedFile[], top: Place): Promise<Map<string, Place>> {
  const places = new Map<string, Place>([['', top]]);
  const wanted = files.flatMap(({ path }) => path.map((_, index) => path.slice(0, index + 1)));
  if (wanted.length === 0) return places;
  const { items } = await call('listFolders', { query: {} }, { quiet: true });
  let added = false;
  for (const path of wanted.toSorted((one, other) => one.length - other.length)) {
    const at = path.join('/');
    if (places.has(at)) continue;
    const parent = places.get(path.slice(0, -1).join('/')) ?? top;
    const name = normalName(path.at(-1)!);
    const same = items.filter((one) => one.parentId === parent.id && nameKey(one.name) === nameKey(name));
    // At the top level, a folder with this name may belong to another customer.
    let id = parent.id === null ? undefined : same[0]?.id;
    if (id === undefined) {
      try {
        ({ id } = await call('createFolder', { body: { name, folderId: parent.id } }, { quiet: true }));
        added = true;
      } catch (error) {
        if (same.length !== 1 || !(error instanceof ApiProblem) || error.field !== 'name') throw error;
        id = same[0]!.id;
      }
    }
    places.set(at, { id, name });
  }
  if (added) void refresh('listFolders');
  return places;
}
