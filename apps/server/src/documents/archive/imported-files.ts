import { createHash, randomUUID } from 'node:crypto';
import {
  cleanContent,
  contentPurpose,
  type DocumentContent,
  FILE_RULES,
  fileFault,
  filesOf,
  formatSize,
  type Level,
  nameKey,
  SNIFFED_BYTES,
  type StoredFault,
  storedFault,
  uploadName,
} from '@chargehand/domain';
import type { Kysely } from 'kysely';
import {
  type Arrived,
  type AttachmentsRoom,
  enteredName,
  filesUsedBy,
  type Intake,
  type UsedFile,
} from '../../attachments/index.ts';
import { logAction } from '../../audit/index.ts';
import { incomingPrefixesOf } from '../../files/index.ts';
import type { Database } from '../../platform/database/schema.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { Problem } from '../../platform/http/problem.ts';
import type { ObjectStore } from '../../platform/objects/store.ts';
import type { ZipEntry, ZipReader } from '../../platform/zip/zip-reader.ts';
import type { Events } from '../../ports/events.ts';
import { textBodies } from '../texts/texts.store.ts';
import type { Reference } from './archive-worker.ts';
import { archiveLarge, FILE_BYTES, MOST_FILES } from './limits.ts';
import type { ShownFile } from './nodes-of-files.ts';

/** What the import needs. */
export interface Files {
  db: Kysely<Database>;
  events: Events;
  store: ObjectStore;
  attachments: Pick<AttachmentsRoom, 'openContent' | 'arrive' | 'settle' | 'settled'>;
}

/** An entry that a document may show. */
interface Checked {
  entry: ZipEntry;
  name: string;
  size: number;
  hash: string;
}

/** A document that exists, or will. */
interface Target {
  used: readonly UsedFile[];
  /** of the files that its current texts show */
  shown: ReadonlySet<number>;
  /** the entries that become files of it, by their content */
  added: Map<string, { checked: Checked; key: string; arrived: Arrived | null; id: number | null }>;
}

/** A text that is imported. */
interface Text {
  path: string;
  name: string;
  body: DocumentContent;
  references: readonly Reference[];
}

/**
 * Makes pictures and files of an archive files of documents: `prepare` checks those of a text, `upload` sends new
 * ones to the object store, `show` makes them files within the transaction of the import. A file that the document has
 * already is not added again.
 */
export function importedFiles(
  { db, store, attachments }: Files,
  caller: Caller,
  customerId: number | null,
  archive: ZipReader,
) {
  const targets = new Map<string, Target>();
  const checks = new Map<string, Checked | Problem>();
  const resolved = new Map<string, (UsedFile | Checked | null)[]>();
  let bytes = 0;

  async function check(path: string): Promise<Checked | Problem> {
    const known = checks.get(path);
    if (known) return known;
    if (checks.size === MOST_FILES) throw archiveLarge();
    const checked = await checkEntry(archive.entries.get(path)!);
    checks.set(path, checked);
    if (!(checked instanceof Problem)) bytes += checked.size;
    if (bytes > FILE_BYTES) throw archiveLarge();
    return checked;
  }

  async function targetOf(name: string): Promise<Target> {
    const known = targets.get(name.toLowerCase());
    if (known) return known;
    const id = await documentNamed(db, customerId, name);
    const [used, bodies] =
      id === null ? [[], []] : await Promise.all([filesUsedBy(db, 'document', id), textBodies(db, id)]);
    const shown = new Set(bodies.flatMap((body) => filesOf(cleanContent(body))));
    const target: Target = { used, shown, added: new Map() };
    targets.set(name.toLowerCase(), target);
    return target;
  }

  /** The file of a document with the content of an entry; one with its name first. */
  async function usedAs({ name, size, hash }: Checked, { used }: Target): Promise<UsedFile | null> {
    const first = (file: UsedFile) => (nameKey(file.name) === nameKey(name) ? 0 : 1);
    for (const file of used.filter((one) => one.size === size).toSorted((a, b) => first(a) - first(b))) {
      if ((await hashOf(file.id)) === hash) return file;
    }
    return null;
  }

  async function hashOf(id: number): Promise<string | null> {
    try {
      const hash = createHash('sha256');
      for await (const part of (await attachments.openContent(id)).stream) hash.update(part as Buffer);
      return hash.digest('hex');
    } catch (error) {
      // A file that cannot be read is not the same.
      if (error instanceof Problem) return null;
      throw error;
    }
  }

  async function find({ target: to, url }: Reference, target: Target): Promise<UsedFile | Checked | Problem> {
    if (to.to === 'entry') {
      const checked = await check(to.path);
      if (checked instanceof Problem) return checked;
      const used = await usedAs(checked, target);
      if (!used) target.added.set(checked.hash, target.added.get(checked.hash) ?? newFile(checked));
      return used ?? target.added.get(checked.hash)!.checked;
    }
    if (to.to === 'ambiguous') return new Problem('documentFileAmbiguous', { values: { path: url } });
    if (to.to === 'remote') return new Problem('documentFileRemote', { values: { path: url.slice(0, 200) } });
    return shownAs(url, target) ?? new Problem('documentFileMissing', { values: { path: url } });
  }

  function newFile(checked: Checked) {
    const [prefix] = incomingPrefixesOf(caller.userId).filter((one) => one.startsWith('document/'));
    return { checked, key: prefix + uploadName(randomUUID(), Date.now(), checked.name), arrived: null, id: null };
  }

  return {
    /** Finds and checks the files of a text. @returns what it cannot show */
    async prepare({ path, name, references, body }: Text) {
      const target = await targetOf(name);
      const placed = new Set(filesOf(body));
      const leftOut: { file: string; line: number; message: string }[] = [];
      const found: (UsedFile | Checked | null)[] = [];
      for (const [index, reference] of references.entries()) {
        // A picture in a place that has none, such as the label of another one, is not imported.
        const isPlaced = placed.has(index) || reference.target.to === 'remote';
        const file = isPlaced ? await find(reference, target) : null;
        found.push(file instanceof Problem ? null : file);
        if (!(file instanceof Problem)) continue;
        const { message } = file.envelope(caller.locale);
        leftOut.push({ file: path, line: reference.line, message: withPath(message, reference.url) });
      }
      resolved.set(path, found);
      return leftOut;
    },

    /** Sends new files to the object store, where `show` finds them. */
    async upload(): Promise<void> {
      for (const { added } of targets.values()) {
        for (const file of added.values()) {
          const { entry, name } = file.checked;
          const place = { bucket: store.buckets.main, key: file.key };
          await store.write(place, (await entry.open()) as AsyncIterable<Uint8Array>, {
            contentType: 'application/octet-stream',
          });
          file.arrived = await attachments.arrive(intakeOf(caller, customerId, { key: file.key, name }, null));
        }
      }
    },

    /** The file of each reference of a text; new ones become files of the document. Without `upload`, they have no id. */
    async show(trx: Kysely<Database>, documentId: number, { path, name }: Text): Promise<(ShownFile | null)[]> {
      const { added } = await targetOf(name);
      const document = await levelsOfDocument(trx, documentId);
      const files: (ShownFile | null)[] = [];
      for (const file of resolved.get(path) ?? []) {
        if (!file || 'id' in file) {
          files.push(file);
          continue;
        }
        const one = added.get(file.hash)!;
        if (one.id === null) one.id = one.arrived ? await settle(trx, documentId, document, one) : 0;
        files.push({ id: one.id, name: file.name, size: file.size });
      }
      return files;
    },

    /** How many files were added. */
    added(): number {
      return [...targets.values()].flatMap(({ added }) => [...added.values()]).filter(({ id }) => id !== null).length;
    },

    /** After the transaction. */
    finish(): void {
      if (this.added() > 0) attachments.settled(customerId);
    },
  };

  async function settle(
    trx: Kysely<Database>,
    documentId: number,
    levels: DocumentLevels,
    { checked: { name }, key, arrived }: { checked: Checked; key: string; arrived: Arrived | null },
  ): Promise<number> {
    if (!arrived || 'file' in arrived) return arrived?.file.id ?? 0;
    const intake = intakeOf(caller, customerId, { key, name }, { id: documentId, ...levels });
    const { id } = await attachments.settle(trx, intake, arrived, async (_, added) => {
      await logAction(trx, caller, {
        ...{ operation: 'new', objectType: 'attachment', objectId: String(added.id), objectName: added.name },
        ...{ customerId, siteId: null, after: { name: added.name, size: added.size, document: documentId } },
      });
    });
    return id;
  }
}

/** A document of an owner by its name in any case; null when there is none. */
export async function documentNamed(
  db: Kysely<Database>,
  customerId: number | null,
  name: string,
): Promise<number | null> {
  const named = db
    .selectFrom('documents')
    .select('id')
    .where('customer_id', customerId === null ? 'is' : '=', customerId)
    .where(({ fn, eb }) => eb(fn('lower', ['name']), '=', name.toLowerCase()));
  return (await named.executeTakeFirst())?.id ?? null;
}

interface DocumentLevels {
  readLevel: Level;
  writeLevel: Level;
}

async function levelsOfDocument(trx: Kysely<Database>, id: number): Promise<DocumentLevels> {
  const row = trx.selectFrom('documents').select(['read_level as readLevel', 'write_level as writeLevel']);
  return await row.where('id', '=', id).executeTakeFirstOrThrow();
}

/** As the editor adds files of a document: for its readers, among the files of its owner. */
function intakeOf(
  caller: Caller,
  customerId: number | null,
  { key, name }: { key: string; name: string },
  document: (DocumentLevels & { id: number }) | null,
): Intake {
  const { readLevel: read = 5, writeLevel: write = 5 } = document ?? {};
  const uses = document ? [{ kind: 'document' as const, objectId: document.id }] : [];
  return { key, name, folderId: null, customerId, levels: { read, write, download: read }, uses, by: caller };
}

/** A file that the document shows already, by the id or the name in an address without its file. */
function shownAs(url: string, { used, shown }: Target): UsedFile | null {
  const id = /(?:^|\/)files\/([0-9]{1,16})(?:-[^/]*)?$/.exec(url)?.[1];
  if (id !== undefined) {
    const known = used.find((file) => file.id === Number(id)) ?? { id: Number(id), name: '', size: 0 };
    return shown.has(known.id) ? known : null;
  }
  const base = url.split('/').at(-1)!;
  const names = new Set([base, decoded(base)].map(nameKey));
  const found = used.filter((file) => shown.has(file.id) && names.has(nameKey(file.name)));
  return found.length === 1 ? found[0]! : null;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const FAULTS = {
  nameless: 'fileNameless',
  type: 'fileType',
  content: 'fileContent',
  incomplete: 'fileIncomplete',
  tooLarge: 'fileTooLarge',
  empty: 'fileEmpty',
} as const satisfies Record<StoredFault, string>;

/** Reads an entry once: its real size, its first bytes and its content decide, not what the archive says. */
async function checkEntry(entry: ZipEntry): Promise<Checked | Problem> {
  const { path } = entry;
  if (entry.isLink) return new Problem('documentFileLink', { values: { path } });
  const base = path.split('/').at(-1)!;
  const purpose = contentPurpose(base);
  const { limit, endings } = FILE_RULES[purpose];
  const faulty = (fault: StoredFault) =>
    new Problem(FAULTS[fault], { field: 'content', values: { types: endings.join(', '), limit: formatSize(limit) } });
  if (entry.size > limit) return faulty('tooLarge');
  try {
    const name = enteredName(base);
    const hash = createHash('sha256');
    // An entry cannot be read from its end. Of a large one, the end is checked when it is stored.
    const parts: Buffer[] = [];
    let size = 0;
    for await (const part of await entry.open()) {
      const chunk = part as Buffer;
      if (size <= FILE_RULES.image.limit) parts.push(chunk);
      size += chunk.length;
      if (size > limit) return faulty('tooLarge');
      hash.update(chunk);
    }
    const content = Buffer.concat(parts);
    const fault =
      content.length < size
        ? fileFault({ name, size, head: content.subarray(0, SNIFFED_BYTES) }, purpose)
        : await storedFault({ name, size }, purpose, async (first, last) => content.subarray(first, last + 1));
    return fault ? faulty(fault) : { entry, name, size, hash: hash.digest('hex') };
  } catch (error) {
    return error instanceof Problem ? error : new Problem('documentFileDamaged', { values: { path } });
  }
}

function withPath(message: string, url: string): string {
  return message.includes(url) ? message : `${url} · ${message}`;
}
