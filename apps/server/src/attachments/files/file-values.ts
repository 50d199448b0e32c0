import type { AttachmentRow, WithDates } from '@chargehand/contract';
import { type FileLevels, levelSuffices, shownType } from '@chargehand/domain';
import type { Kysely } from 'kysely';
import { logAction } from '../../audit/index.ts';
import type { Database } from '../../platform/database/schema.ts';
import { explained } from '../../platform/database/violations.ts';
import type { Caller } from '../../platform/http/caller.ts';
import type { Operation } from '../../ports/action-log.ts';
import { mayWrite } from '../visible.ts';
import type { FileRecord } from './files.store.ts';

/** A file as lists show it. */
export function fileRow(caller: Caller, file: FileRecord): WithDates<AttachmentRow> {
  const { uploaderId: _, bucket: __, objectKey: ___, etag: ____, virus: _____, firmwareId, deviceLogId, ...row } = file;
  return {
    ...row,
    shown: shownType(file.name) !== null && !isManaged(file),
    managedBy: managerOf(file),
    may: {
      write: !isManaged(file) && mayWrite(caller, file),
      download: levelSuffices(caller.levels.attachment.download, file.downloadLevel),
    },
  };
}

export function isManaged(file: Pick<FileRecord, 'firmwareId' | 'deviceLogId'>): boolean {
  return managerOf(file) !== null;
}

function managerOf({ firmwareId, deviceLogId }: Pick<FileRecord, 'firmwareId' | 'deviceLogId'>) {
  if (firmwareId !== null) return 'firmware';
  return deviceLogId !== null ? 'deviceLog' : null;
}

/** The properties of which a form shows the revision. */
export function editedOf({ name, description, type, siteId, readLevel, writeLevel, downloadLevel }: FileRecord) {
  return { name, description, type, siteId, readLevel, writeLevel, downloadLevel };
}

export function namedLevels({ read, write, download }: FileLevels) {
  return { readLevel: read, writeLevel: write, downloadLevel: download };
}

/** @throws {Problem} attachmentNameTaken */
export function named<T>(name: string, change: Promise<T>): Promise<T> {
  return explained(change, { attachments_name: ['attachmentNameTaken', 'name', { name }] });
}

/** Records a change of a file in the action log. */
export async function recordFile(
  trx: Kysely<Database>,
  caller: Pick<Caller, 'userId' | 'userName' | 'address'>,
  operation: Operation,
  file: { id: number; name: string; customerId: number | null; siteId: number | null },
  values: { before?: object; after?: object },
): Promise<void> {
  const { id, name, customerId, siteId } = file;
  const object = { objectType: 'attachment' as const, objectId: String(id), objectName: name, customerId, siteId };
  await logAction(trx, caller, { operation, ...object, ...values });
}
