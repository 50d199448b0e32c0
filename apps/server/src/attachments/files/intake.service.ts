import { randomUUID } from 'node:crypto';
import {
  type AttachmentType,
  type AttachmentUse,
  DEFAULT_FILE_LEVELS,
  FILE_RULES,
  type FileFault,
  type FileLevels,
  fileFault,
  formatSize,
  freeName,
  levelsWithin,
  mediaTypeOf,
  SNIFFED_BYTES,
  uploadName,
} from '@chargehand/domain';
import type { Kysely } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';
import { Problem } from '../../platform/http/problem.ts';
import type { ObjectFacts, ObjectStore, Place } from '../../platform/objects/store.ts';
import { readFolder } from '../folders/folders.store.ts';
import { ATTACHMENT_FILES } from '../places.ts';
import { levelsOf } from '../visible.ts';
import type { Contents } from './contents.ts';
import { insertFile, insertUse, lockOwner, takenNames } from './files.store.ts';
import { requireSpace } from './space.ts';

/** A file in the object store that becomes an attachment. Its caller has checked who may add it where. */
export interface Intake {
  /** the key of the upload, or of the file to copy */
  key: string;
  /** a normal name; a counter is added when it exists */
  name: string;
  description?: string;
  type?: AttachmentType;
  folderId: number | null;
  customerId: number | null;
  siteId?: number | null;
  /** within the folder; by default its levels */
  levels?: FileLevels;
  uses?: readonly { kind: AttachmentUse; objectId: number }[];
  by: { userId: number | null; userName: string };
}

/** The new file. */
export interface TakenIn {
  id: number;
  name: string;
  size: number;
  levels: FileLevels;
}

export type IntakeService = ReturnType<typeof intakeService>;

/** Makes uploads files of the product: the only way to add one. */
export function intakeService(parts: {
  db: Kysely<Database>;
  store: ObjectStore;
  contents: Pick<Contents, 'remove'>;
  scanning: boolean;
  /** called after a file was stored */
  stored: () => void;
}) {
  const { db, store, contents, scanning, stored } = parts;
  const at = (key: string): Place => ({ bucket: store.buckets.main, key });

  /** Why an object is not allowed under a name, by its content. */
  async function faultOf(key: string, name: string, size: number): Promise<FileFault | null> {
    const last = Math.min(SNIFFED_BYTES, size) - 1;
    const found = last < 0 ? null : await store.read(at(key), { first: 0, last });
    const head = found ? Buffer.concat(await found.body.toArray()) : Buffer.alloc(0);
    return fileFault({ name, size, head }, 'attachment');
  }

  /** Copies an object to a place that only the server writes to, and checks the content of the copy. */
  async function copied(key: string, name: string): Promise<{ objectKey: string; facts: ObjectFacts }> {
    const objectKey = ATTACHMENT_FILES + uploadName(randomUUID(), Date.now(), name);
    try {
      await store.copy(at(key), at(objectKey));
    } catch (error) {
      if (await store.head(at(key))) throw error;
      throw new Problem('fileUnknown', { field: 'key' });
    }
    try {
      const facts = await store.head(at(objectKey));
      if (!facts) throw new Problem('fileUnknown', { field: 'key' });
      const fault = await faultOf(objectKey, name, facts.size);
      if (fault) throw faultProblem(fault);
      return { objectKey, facts };
    } catch (error) {
      await contents.remove(objectKey);
      throw error;
    }
  }

  return {
    /**
     * Takes a file in. `record` writes its log entry in the same transaction.
     * @throws {Problem} for a file that is not allowed, or without space
     */
    async take(intake: Intake, record: (trx: Kysely<Database>, added: TakenIn) => Promise<void>): Promise<TakenIn> {
      const { folderId, customerId } = intake;
      const arrived = await store.head(at(intake.key));
      if (!arrived) throw new Problem('fileUnknown', { field: 'key' });
      // Before the copy, whose cost depends on the size of the file.
      if (arrived.size > FILE_RULES.attachment.limit) throw faultProblem('tooLarge');
      const early = await faultOf(intake.key, intake.name, arrived.size);
      if (early) throw faultProblem(early);
      await requireSpace(db, customerId, arrived.size, 'key');
      const { objectKey, facts } = await copied(intake.key, intake.name);
      try {
        const added = await db.transaction().execute(async (trx) => {
          await lockOwner(trx, customerId);
          const folder = folderId === null ? null : await readFolder(trx, folderId);
          if (folderId !== null && folder?.customerId !== customerId) {
            throw new Problem('attachmentFolderUnknown', { field: 'folderId' });
          }
          await requireSpace(trx, customerId, facts.size, 'key');
          const name = freeName(intake.name, await takenNames(trx, { customerId, folderId }, intake.name));
          const levels = levelsWithin(intake.levels ?? DEFAULT_FILE_LEVELS, folder && levelsOf(folder));
          const id = await insertFile(trx, {
            ...{ folderId, customerId, siteId: intake.siteId ?? null, name, levels, objectKey },
            ...{ description: intake.description ?? '', type: intake.type ?? 'normal' },
            ...{ size: facts.size, etag: facts.etag, mediaType: mediaTypeOf(name) },
            scan: scanning ? 'waiting' : 'unscanned',
            ...{ uploadedBy: intake.by.userId, uploadedByName: intake.by.userName },
          });
          for (const { kind, objectId } of intake.uses ?? []) await insertUse(trx, id, kind, objectId);
          const taken = { id, name, size: facts.size, levels };
          await record(trx, taken);
          return taken;
        });
        await contents.remove(intake.key);
        stored();
        return added;
      } catch (error) {
        await contents.remove(objectKey);
        throw error;
      }
    },
  };
}

const FAULT_CODES = {
  nameless: 'fileNameless',
  type: 'fileType',
  content: 'fileContent',
  tooLarge: 'fileTooLarge',
  empty: 'fileEmpty',
} as const;

function faultProblem(fault: FileFault): Problem {
  const { endings, limit } = FILE_RULES.attachment;
  const field = fault === 'nameless' || fault === 'type' ? 'name' : 'content';
  return new Problem(FAULT_CODES[fault], { field, values: { types: endings.join(', '), limit: formatSize(limit) } });
}
