import { randomUUID } from 'node:crypto';
import {
  type AttachmentType,
  type AttachmentUse,
  DEFAULT_FILE_LEVELS,
  FILE_RULES,
  type FileLevels,
  type FilePurpose,
  formatSize,
  freeName,
  levelsWithin,
  mediaTypeOf,
  type StoredFault,
  siteWithin,
  storedFault,
  uploadName,
} from '@chargehand/domain';
import type { Kysely } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';
import { Problem } from '../../platform/http/problem.ts';
import type { ObjectFacts, ObjectStore, Place } from '../../platform/objects/store.ts';
import { requireOneSite } from '../folders/folder-sites.ts';
import { readFolder } from '../folders/folders.store.ts';
import { ATTACHMENT_FILES } from '../places.ts';
import { levelsOf } from '../visible.ts';
import { type Arrival, findArrival, lockArrival, recordArrival, settleArrival } from './arrivals.store.ts';
import { insertFile, insertUse, lockOwner, takenNames } from './files.store.ts';
import { requireSpace } from './space.ts';

/** An upload that becomes an attachment. Its caller has checked who may add it where. */
export interface Intake {
  /** of the upload */
  key: string;
  /** a normal name; a counter is added when it exists */
  name: string;
  /** whose types and sizes are allowed; default: those of all attachments */
  purpose?: FilePurpose;
  description?: string;
  type?: AttachmentType;
  folderId: number | null;
  customerId: number | null;
  siteId?: number | null;
  /** for the form of a new issue */
  draft?: boolean;
  /** within the folder; by default its levels */
  levels?: FileLevels;
  uses?: readonly { kind: AttachmentUse; objectId: number }[];
  by: { userId: number | null; userName: string };
}

/** The new file. */
export interface NewFile {
  id: number;
  name: string;
  siteId: number | null;
  size: number;
  levels: FileLevels;
}

/** An upload in its final place. */
interface Moved {
  objectKey: string;
  facts: ObjectFacts;
}

/** An upload that `settle` makes a file, or the file that it has become before. */
export type Arrived = Moved | { file: NewFile };

export type IntakeService = ReturnType<typeof intakeService>;

/** Makes uploads files of the product: the only way to add one. */
export function intakeService(parts: {
  db: Kysely<Database>;
  store: ObjectStore;
  scanning: boolean;
  /** called after a file was stored */
  stored: () => void;
}) {
  const { db, store, scanning, stored } = parts;
  const at = (key: string): Place => ({ bucket: store.buckets.main, key });

  /**
   * Resolves with false when the object is gone.
   * @throws {Problem} when an object is not allowed under a name, by its content
   */
  async function requireAllowed(
    key: string,
    { name, purpose = 'attachment' }: Pick<Intake, 'name' | 'purpose'>,
    size: number,
  ): Promise<boolean> {
    // Before anything else, whose cost depends on the size of the file.
    if (size > FILE_RULES[purpose].limit) throw faultProblem('tooLarge', purpose);
    let gone = false;
    const fault = await storedFault({ name, size }, purpose, async (first, last) => {
      const found = await store.read(at(key), { first, last });
      gone ||= !found;
      return found ? Buffer.concat(await found.body.toArray()) : Buffer.alloc(0);
    });
    if (gone) return false;
    if (fault) throw faultProblem(fault, purpose);
    return true;
  }

  /**
   * Moves an upload to a place that only the server writes to, and checks it there. The place is recorded first, so that
   * the next call finds the object when the process is killed before its row exists.
   */
  async function moved(intake: Intake, arrived: ObjectFacts | null, known: Arrival | null): Promise<Moved> {
    const { key, name, customerId } = intake;
    let objectKey = known?.objectKey;
    if (arrived) {
      const { etag, size } = arrived;
      // It may be gone by now: a call for the same upload at the same time moves it too.
      await requireAllowed(key, intake, size);
      await requireSpace(db, customerId, size, { field: 'key' });
      const fresh = ATTACHMENT_FILES + uploadName(randomUUID(), Date.now(), name);
      objectKey = await recordArrival(db, { key, etag, objectKey: fresh });
      await store.move(at(key), at(objectKey), etag);
    }
    const facts = objectKey === undefined ? null : await store.head(at(objectKey));
    if (objectKey === undefined || !facts) throw new Problem('fileUnknown', { field: 'key' });
    if (!(await requireAllowed(objectKey, intake, facts.size))) throw new Problem('fileUnknown', { field: 'key' });
    return { objectKey, facts };
  }

  /**
   * Moves an upload to its final place and checks it, before a transaction makes it a file with `settle`.
   * @throws {Problem} for a file that is not allowed, or without space: it can be taken in later
   */
  async function arrive(intake: Intake): Promise<Arrived> {
    const [arrived, known] = [await store.head(at(intake.key)), await findArrival(db, intake.key)];
    if (known?.file && (!arrived || arrived.etag === known.etag)) return { file: known.file };
    return await moved(intake, arrived, known);
  }

  /**
   * Makes an upload that has arrived a file. `record` writes its log entry. After the transaction, the caller calls
   * `stored`.
   */
  async function settle(
    trx: Kysely<Database>,
    intake: Intake,
    { objectKey, facts }: Moved,
    record: (trx: Kysely<Database>, added: NewFile) => Promise<void>,
  ): Promise<NewFile> {
    const { key, folderId, customerId } = intake;
    await lockOwner(trx, customerId);
    const arrival = await lockArrival(trx, key);
    if (arrival?.objectKey !== objectKey) throw new Problem('fileUnknown', { field: 'key' });
    if (arrival.file) return arrival.file;
    const folder = folderId === null ? null : await readFolder(trx, folderId);
    if (folderId !== null && folder?.customerId !== customerId) {
      throw new Problem('attachmentFolderUnknown', { field: 'folderId' });
    }
    await requireSpace(trx, customerId, facts.size, { field: 'key' });
    const name = freeName(intake.name, await takenNames(trx, { customerId, folderId }, intake.name));
    const levels = levelsWithin(intake.levels ?? DEFAULT_FILE_LEVELS, folder && levelsOf(folder));
    requireOneSite(intake.siteId ?? null, folder?.siteId ?? null);
    const siteId = siteWithin(intake.siteId ?? null, folder?.siteId ?? null);
    const id = await insertFile(trx, {
      ...{ folderId, customerId, siteId, name, levels, objectKey },
      ...{ description: intake.description ?? '', type: intake.type ?? 'normal' },
      ...{ size: facts.size, etag: facts.etag, mediaType: mediaTypeOf(name) },
      draft: intake.draft ?? false,
      scan: scanning ? 'waiting' : 'unscanned',
      ...{ uploadedBy: intake.by.userId, uploadedByName: intake.by.userName },
    });
    await settleArrival(trx, key, id);
    for (const { kind, objectId } of intake.uses ?? []) await insertUse(trx, id, kind, objectId);
    const taken = { id, name, siteId, size: facts.size, levels };
    await record(trx, taken);
    return taken;
  }

  return {
    arrive,
    settle,
    stored,

    /**
     * Takes an upload in. `record` writes its log entry in the same transaction. A second call for the same upload
     * returns the file that it became.
     * @throws {Problem} for a file that is not allowed, or without space: it can be taken in later
     */
    async take(intake: Intake, record: (trx: Kysely<Database>, added: NewFile) => Promise<void>): Promise<NewFile> {
      const arrived = await arrive(intake);
      if ('file' in arrived) return arrived.file;
      const added = await db.transaction().execute((trx) => settle(trx, intake, arrived, record));
      stored();
      return added;
    },

    /** True when an upload is stored, or was moved by a call for it that was interrupted. */
    async hasArrived(key: string): Promise<boolean> {
      if (await store.head(at(key))) return true;
      const known = await findArrival(db, key);
      return known !== null && (known.file !== null || (await store.head(at(known.objectKey))) !== null);
    },
  };
}

const FAULT_CODES = {
  nameless: 'fileNameless',
  type: 'fileType',
  content: 'fileContent',
  incomplete: 'fileIncomplete',
  tooLarge: 'fileTooLarge',
  empty: 'fileEmpty',
} as const;

function faultProblem(fault: StoredFault, purpose: FilePurpose): Problem {
  const { endings, limit } = FILE_RULES[purpose];
  const field = fault === 'nameless' || fault === 'type' ? 'name' : 'content';
  return new Problem(FAULT_CODES[fault], { field, values: { types: endings.join(', '), limit: formatSize(limit) } });
}
