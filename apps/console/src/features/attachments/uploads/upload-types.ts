import { ATTACHMENT_TYPES, type AttachmentType } from '@chargehand/domain';
import { external, useExternal } from '../../../shared/lib/external.ts';

const KEY = 'chargehand.uploadTypes';
const types = external<Readonly<Record<string, AttachmentType>>>(stored());

/** A folder of a user: several people may use a browser. */
interface UploadPlace {
  userId: number;
  /** null: the top level */
  folderId: number | null;
}

const nameOf = ({ userId, folderId }: UploadPlace) => `${userId}/${folderId ?? 'top'}`;

/** The type of files that the user uploads to a folder: the one chosen there last in this browser. */
export function uploadTypeFor(place: UploadPlace): AttachmentType {
  return types.get()[nameOf(place)] ?? 'normal';
}

/** The same in a component. */
export function useUploadType(place: UploadPlace): AttachmentType {
  return useExternal(types)[nameOf(place)] ?? 'normal';
}

/** Remembers the type of files that the user uploads to a folder. */
export function keepUploadType(place: UploadPlace, type: AttachmentType): void {
  const { [nameOf(place)]: _, ...others } = types.get();
  types.set(type === 'normal' ? others : { ...others, [nameOf(place)]: type });
  localStorage.setItem(KEY, JSON.stringify(types.get()));
}

/** Other versions of the console, and users, may have written anything. */
function stored(): Record<string, AttachmentType> {
  try {
    const found = Object.entries((JSON.parse(localStorage.getItem(KEY) ?? '{}') ?? {}) as Record<string, unknown>);
    return Object.fromEntries(
      found.filter((one): one is [string, AttachmentType] => (ATTACHMENT_TYPES as readonly unknown[]).includes(one[1])),
    );
  } catch {
    return {};
  }
}
