import { publicEndpoints } from 'virtual:public-endpoints';
import { addressOf } from '../../../shared/api/address.ts';

/** The address of a file of a share; of the shared file itself without an id. */
export function contentAddress(token: string, fileId?: number, preview = false): string {
  const query = { s: token, ...(fileId === undefined ? {} : { fileId }), ...(preview ? { preview: true } : {}) };
  return addressOf(publicEndpoints.downloadShared![1], { query });
}

/** The address of the archive of a shared folder, or of a folder in it. */
export function archiveAddress(token: string, folderId?: number): string {
  const query = { s: token, ...(folderId === undefined ? {} : { folderId }) };
  return addressOf(publicEndpoints.downloadSharedArchive![1], { query });
}
