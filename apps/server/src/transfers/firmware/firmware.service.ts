import { createHash, randomUUID } from 'node:crypto';
import type { BodyOf, QueryOf, ResultOf, transferEndpoints } from '@chargehand/contract';
import { FIRMWARE_LIMIT, firmwareFileFault, formatSize, uploadName } from '@chargehand/domain';
import type { Kysely } from 'kysely';
import { logAction } from '../../audit/index.ts';
import type { Database } from '../../platform/database/schema.ts';
import { explained } from '../../platform/database/violations.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { notFound, Problem } from '../../platform/http/problem.ts';
import { listOrder, pageOf, searchOf } from '../../platform/http/serve/list-queries.ts';
import type { Log } from '../../platform/log.ts';
import type { ObjectStore, Place } from '../../platform/objects/store.ts';
import type { Operation } from '../../ports/action-log.ts';
import { issueKeys } from '../object-keys.ts';
import { FIRMWARE_FILES, incomingFirmwareOf } from '../places.ts';
import { EXPLANATIONS } from '../tables.ts';
import { softVersionsOf } from '../transfers.store.ts';
import {
  deleteFirmware,
  findFirmware,
  firmwareFor,
  insertFirmware,
  isAwaited,
  listFirmware,
  type StoredFirmware,
  updateFirmware,
} from './firmware.store.ts';
import { readSigning, requireValid, type Signing, signatureCheck } from './signing.ts';

type Endpoints = typeof transferEndpoints;
export type FirmwareService = ReturnType<typeof firmwareService>;

/** The maximum number of waiting uploads of one user. */
const INCOMING_QUOTA = { bytes: 1024 ** 3, objects: 20 };

/**
 * Manages firmware files, which belong to the platform like the device models they are for. Users of the platform
 * vendor add and remove them.
 */
export function firmwareService(parts: { db: Kysely<Database>; store: ObjectStore; log: Log }) {
  const { db, store, log } = parts;
  const at = (key: string): Place => ({ bucket: store.buckets.firmware, key });

  /** The sweep removes remaining objects. */
  const forget = async (...keys: string[]) => {
    for (const key of keys)
      await store
        .remove(at(key))
        .catch((error: unknown) => log.warn({ err: error, key }, 'an object waits for the sweep'));
  };

  /** Copies an upload to a place that only the server writes to, and verifies that it is the uploader's file. */
  async function takeOver(body: BodyOf<Endpoints['registerFirmware']>, signing: Signing | null): Promise<string> {
    const arrived = await store.head(at(body.key));
    if (!arrived) throw new Problem('fileUnknown', { field: 'key' });
    if (arrived.size > FIRMWARE_LIMIT) {
      await forget(body.key);
      throw new Problem('fileTooLarge', { field: 'key', values: { limit: formatSize(FIRMWARE_LIMIT) } });
    }
    requireSize(arrived.size, body.size);
    const key = FIRMWARE_FILES + uploadName(randomUUID(), Date.now(), body.fileName);
    await store.copy(at(body.key), at(key));
    try {
      const { size, sha256, fits } = await measure(key, signing);
      requireSize(size, body.size);
      if (sha256 !== body.sha256)
        throw new Problem('firmwareChecksum', { field: 'sha256', values: { arrived: sha256 } });
      if (!fits) throw new Problem('signatureUnfit', { field: 'signature' });
      return key;
    } catch (error) {
      await forget(key);
      throw error;
    }
  }

  /**
   * Size and checksum of an object by its content, independent of what was declared, and whether a signature matches.
   */
  async function measure(key: string, signing: Signing | null): Promise<Measured> {
    const found = await store.read(at(key));
    if (!found) throw new Problem('fileUnknown', { field: 'key' });
    const hash = createHash('sha256');
    const check = signing && signatureCheck(signing);
    let size = 0;
    for await (const chunk of found.body as AsyncIterable<Buffer>) {
      hash.update(chunk);
      check?.update(chunk);
      size += chunk.length;
    }
    return { size, sha256: hash.digest('hex'), fits: check === null || check.fits() };
  }

  /** The signature of a file after a change: the current one unless another one was entered. */
  async function signingFor(id: number, body: BodyOf<Endpoints['updateFirmware']>): Promise<Signing | null> {
    const file = await findFirmware(db, id);
    if (!file) throw notFound('firmware');
    const { signingCertificate, signature } = body;
    if (signingCertificate === undefined && signature === undefined) return file.signing;
    const signing = readSigning({ signingCertificate: signingCertificate ?? '', signature: signature ?? '' });
    if (signing === null || isSame(signing, file.signing)) return signing;
    requireValid(signing, new Date());
    const { fits } = await measure(file.objectKey, signing);
    if (!fits) throw new Problem('signatureUnfit', { field: 'signature' });
    return signing;
  }

  return {
    async list(query: QueryOf<Endpoints['listFirmware']>): Promise<ResultOf<Endpoints['listFirmware']>> {
      const { kind, deviceModelId } = query;
      const filters = { search: searchOf(query.search), kind, deviceModelId };
      return await listFirmware(db, filters, listOrder(query.sort, '-uploadedAt'), pageOf(query));
    },

    async credentials(caller: Caller): Promise<ResultOf<Endpoints['firmwareCredentials']>> {
      const prefix = incomingFirmwareOf(caller.userId);
      const limits = { objectBytes: FIRMWARE_LIMIT, quotas: [{ prefix, ...INCOMING_QUOTA }] };
      return await issueKeys(store, { mode: 'write', bucket: store.buckets.firmware, prefixes: [prefix], limits });
    },

    async register(caller: Caller, body: BodyOf<Endpoints['registerFirmware']>): Promise<{ id: number }> {
      const { kind, fileName, size, sha256, deviceModelIds } = body;
      const version = entered(body.version, 'version');
      const fault = firmwareFileFault({ name: fileName, size });
      if (fault !== null)
        throw new Problem(FAULT_CODES[fault], {
          field: 'fileName',
          values: { limit: formatSize(FIRMWARE_LIMIT) },
        });
      if (!body.key.startsWith(incomingFirmwareOf(caller.userId))) throw new Problem('fileUnknown', { field: 'key' });
      const { signingCertificate = '', signature = '' } = body;
      const signing = readSigning({ signingCertificate, signature });
      if (signing) requireValid(signing, new Date());
      const objectKey = await takeOver(body, signing);
      const file = {
        kind,
        version,
        fileName,
        objectKey,
        size,
        sha256,
        note: body.note.trim(),
        signing,
        deviceModelIds,
      };
      try {
        const id = await db.transaction().execute(async (trx) => {
          const added = await explained(insertFirmware(trx, file, caller), EXPLANATIONS);
          await logFirmware(trx, caller, 'new', { id: added, version }, { after: shown(file) });
          return added;
        });
        await forget(body.key);
        return { id };
      } catch (error) {
        await forget(objectKey);
        throw error;
      }
    },

    async edit(caller: Caller, id: number, body: BodyOf<Endpoints['updateFirmware']>): Promise<void> {
      const signing = await signingFor(id, body);
      const values = {
        version: entered(body.version, 'version'),
        note: body.note.trim(),
        signing,
        deviceModelIds: [...body.deviceModelIds].sort((one, other) => one - other),
      };
      await db.transaction().execute(async (trx) => {
        const file = await findFirmware(trx, id, 'update');
        if (!file) throw notFound('firmware');
        const { version, note, deviceModelIds } = file;
        // Nothing was entered for it: a change by another user in between is kept.
        if (body.signingCertificate === undefined && body.signature === undefined) values.signing = file.signing;
        const before = shownEdit({ version, note, signing: file.signing, deviceModelIds });
        const after = shownEdit(values);
        const sameSigning = isSame(values.signing, file.signing);
        if (sameSigning && JSON.stringify(before) === JSON.stringify(after)) return;
        // The plan is already stored when a device is sent the file.
        if (!sameSigning && (await isAwaited(trx, id))) throw new Problem('signatureAwaited', { field: 'signature' });
        await explained(updateFirmware(trx, id, values), EXPLANATIONS);
        await logFirmware(trx, caller, 'edit', { id, version: values.version }, { before, after });
      });
    },

    async remove(caller: Caller, id: number): Promise<void> {
      const key = await db.transaction().execute(async (trx) => {
        const file = await findFirmware(trx, id, 'update');
        if (!file) throw notFound('firmware');
        await explained(deleteFirmware(trx, id), EXPLANATIONS);
        await logFirmware(trx, caller, 'delete', file, { before: shown(file) });
        return file.objectKey;
      });
      await forget(key);
    },

    async read(id: number): Promise<ResultOf<Endpoints['readFirmware']>> {
      const file = await findFirmware(db, id);
      if (!file) throw notFound('firmware');
      const { objectKey: key, fileName } = file;
      const credential = await issueKeys(store, { mode: 'read', bucket: store.buckets.firmware, prefixes: [key] });
      return { credential, key, fileName };
    },

    /** The files that suit all of several devices. */
    async common({
      deviceIds,
      kind,
    }: BodyOf<Endpoints['commonFirmware']>): Promise<ResultOf<Endpoints['commonFirmware']>> {
      const [versionsByDevice, items] = await Promise.all([
        softVersionsOf(db, deviceIds, kind),
        firmwareFor(db, deviceIds, kind),
      ]);
      const counts = new Map<string, number>();
      for (const id of deviceIds) {
        const version = versionsByDevice.get(id) ?? '';
        counts.set(version, (counts.get(version) ?? 0) + 1);
      }
      const versions = [...counts].map(([version, devices]) => ({ version, devices }));
      return { versions: versions.sort((one, other) => other.devices - one.devices), items };
    },
  };
}

const FAULT_CODES = { nameless: 'fileNameless', empty: 'fileEmpty', tooLarge: 'fileTooLarge' } as const;

function requireSize(arrived: number, expected: number): void {
  if (arrived !== expected) throw new Problem('firmwareSize', { field: 'size', values: { arrived, expected } });
}

function entered(text: string, field: string): string {
  const trimmed = text.trim();
  if (trimmed === '') throw new Problem('fieldRequired', { field });
  return trimmed;
}

interface Measured {
  size: number;
  sha256: string;
  fits: boolean;
}

function isSame(one: Signing | null, other: Signing | null): boolean {
  return one?.certificate === other?.certificate && one?.signature === other?.signature;
}

function shown({ kind, version, fileName, size, sha256, note, signing, deviceModelIds }: Omit<StoredFirmware, 'id'>) {
  return { kind, version, fileName, size, sha256, note, ...shownSigning(signing), deviceModelIds };
}

function shownEdit({
  version,
  note,
  signing,
  deviceModelIds,
}: Pick<StoredFirmware, 'version' | 'note' | 'signing' | 'deviceModelIds'>) {
  return { version, note, ...shownSigning(signing), deviceModelIds };
}

/** The details of a signature: the signer, the expiry, and a fingerprint. */
function shownSigning(signing: Signing | null) {
  if (!signing) return {};
  const { signedBy, signedUntil, signature } = signing;
  return { signedBy, signedUntil, signature };
}

async function logFirmware(
  trx: Kysely<Database>,
  caller: Caller,
  operation: Operation,
  file: { id: number; version: string },
  change: { before?: unknown; after?: unknown },
): Promise<void> {
  await logAction(trx, caller, {
    operation,
    objectType: 'firmware',
    objectId: String(file.id),
    objectName: file.version,
    customerId: null,
    siteId: null,
    ...change,
  });
}
