import { createHash, randomBytes } from 'node:crypto';
import {
  type FirmwareKind,
  isSameVersion,
  MAX_QUEUE_MINUTES,
  plainFileName,
  TRANSFER_RETRIES,
  TRANSFER_RETRY_SECONDS,
  TRANSFER_TIMEOUT_MS,
  type Transport,
  transferLane,
  transferOf,
} from '@chargehand/domain';
import type { Kysely, Transaction } from 'kysely';
import type { Database } from '../platform/database/schema.ts';
import { explained } from '../platform/database/violations.ts';
import { Problem } from '../platform/http/problem.ts';
import type { TransferParams } from '../ports/devices/device-link.ts';
import type { PlannedTransfers, RequestedTransfers, TransferCalls, TransferRefusal } from '../ports/transfers.ts';
import { shareFirmwareFor } from './firmware/firmware.store.ts';
import { endAllOverdue } from './progress.service.ts';
import { queryOf } from './query.ts';
import { EXPLANATIONS } from './tables.ts';
import {
  devicesMoving,
  insertTransfers,
  type NewTransferRow,
  type PreparedRow,
  prepareTransfer,
  runningOf,
  softVersionsOf,
} from './transfers.store.ts';

/** Where devices download and upload files. */
export interface FileAddresses {
  /** base URL for HTTP, without a final slash */
  http(): string;
  /** host and port of the FTP server; null while it is disabled */
  ftp(): string | null;
}

/**
 * Random bytes in a credential: enough that it cannot be guessed, and few enough for devices with a short limit for
 * URLs.
 */
const CREDENTIAL_BYTES = 24;

/** How long a command may wait for its device. The time limit of the transfer starts when the command is sent. */
const QUEUE_MS = MAX_QUEUE_MINUTES * 60_000;

/** What is stored of a credential. */
export function hashOf(credential: string): string {
  return createHash('sha256').update(credential).digest('hex');
}

/** Plans transfers for the commands that start them, and gives devices the location of their files. */
export function transferCalls(parts: { db: Kysely<Database>; addresses: FileAddresses }): TransferCalls {
  const { db, addresses } = parts;
  return {
    async plan(trx, wanted) {
      const { transport = 'http' } = wanted.inputs;
      if (transport === 'ftp' && addresses.ftp() === null) throw new Problem('ftpOff', { field: 'transport' });
      // A command that was refused a moment ago does not block the next one.
      await endAllOverdue(queryOf(trx), wanted.deviceIds);
      return wanted.kind === 'uploadLog' ? planLog(trx, wanted, transport) : planFirmware(trx, wanted, transport);
    },

    async statusMessage(deviceId, kind) {
      const running = await runningOf(db, deviceId, transferLane(kind) === 'log');
      const { protocol = '' } = running ?? {};
      if (!protocol?.startsWith('ocpp')) return null;
      if (running?.logType == null) return 'FirmwareStatusNotification';
      return protocol === 'ocpp1.6' && running.logType === 'diagnostics'
        ? 'DiagnosticsStatusNotification'
        : 'LogStatusNotification';
    },

    async versionsOf(deviceIds, kind) {
      return await softVersionsOf(db, deviceIds, transferOf(kind) as FirmwareKind);
    },

    async prepare(_deviceId, call) {
      const credential = randomBytes(CREDENTIAL_BYTES).toString('base64url');
      const row = await prepareTransfer(db, call.executionId, hashOf(credential), TRANSFER_TIMEOUT_MS);
      return row === null ? null : { ...call, params: paramsOf(row, locationOf(row, credential)) };
    },
  };

  function locationOf({ id, transport, fileName }: PreparedRow, credential: string): string {
    if (transport === 'http') return `${addresses.http()}/device-files/${credential}/${fileName ?? ''}`;
    return `ftp://${ftpUserOf(id)}:${credential}@${addresses.ftp() ?? ''}/${fileName ?? ''}`;
  }
}

/** The user name with which a device signs in to download or upload the file of a transfer. */
export function ftpUserOf(transferId: number): string {
  return `t${transferId}`;
}

function paramsOf(row: PreparedRow, location: string): Partial<TransferParams> {
  return {
    location,
    requestId: row.id,
    retries: TRANSFER_RETRIES,
    retryIntervalSeconds: TRANSFER_RETRY_SECONDS,
    ...(row.kind === 'log'
      ? {
          logType: row.logType ?? 'diagnostics',
          ...(row.logFrom === null ? {} : { from: row.logFrom.toISOString() }),
          ...(row.logTo === null ? {} : { to: row.logTo.toISOString() }),
        }
      : {
          retrieveAt: new Date().toISOString(),
          version: row.version ?? '',
          size: row.size ?? 0,
          checksum: row.sha256 ?? '',
          ...(row.signingCertificate === null || row.signature === null
            ? {}
            : { signingCertificate: row.signingCertificate, signature: row.signature }),
        }),
  };
}

async function planLog(
  trx: Transaction<Database>,
  { deviceIds, inputs }: RequestedTransfers,
  transport: Transport,
): Promise<PlannedTransfers> {
  const { logType = 'diagnostics', from, to } = inputs;
  if (from !== undefined && to !== undefined && Date.parse(from) >= Date.parse(to))
    throw new Problem('logTimesTurned', { field: 'to' });
  const log = { type: logType, from: from ?? null, to: to ?? null };
  return {
    params: inputs,
    refusals: busy(await devicesMoving(trx, deviceIds, 'log')),
    begin: (executions, by) =>
      begin(
        trx,
        executions.map((execution) => ({
          ...{ ...execution, kind: 'log', transport, firmware: null, formerVersion: null, log },
          timeoutMs: TRANSFER_TIMEOUT_MS.log + QUEUE_MS,
        })),
        by,
      ),
  };
}

async function planFirmware(
  trx: Transaction<Database>,
  { deviceIds, kind: command, inputs }: RequestedTransfers,
  transport: Transport,
): Promise<PlannedTransfers> {
  const kind = transferOf(command) as FirmwareKind;
  const file = await shareFirmwareFor(trx, deviceIds, kind, inputs.firmwareId ?? 0);
  if (!file) throw new Problem('firmwareUnknown', { field: 'firmwareId' });
  const { id, version, objectKey, size, sha256 } = file;
  const versions = await softVersionsOf(trx, deviceIds, kind);
  const refusals = busy(await devicesMoving(trx, deviceIds, kind));
  for (const [deviceId, running] of versions) {
    // If the device already runs the version, its report would prove nothing.
    if (isSameVersion(running, version)) refusals.set(deviceId, 'firmwareRunning');
  }
  const firmware = { id, version, fileName: plainFileName(file.fileName, 'firmware.bin'), objectKey, size, sha256 };
  return {
    params: { ...inputs, version },
    refusals,
    begin: (executions, by) =>
      begin(
        trx,
        executions.map((execution) => ({
          ...{ ...execution, kind, transport, firmware, log: null },
          formerVersion: versions.get(execution.deviceId) ?? null,
          timeoutMs: TRANSFER_TIMEOUT_MS[kind] + QUEUE_MS,
        })),
        by,
      ),
  };
}

function busy(deviceIds: readonly number[]): Map<number, TransferRefusal> {
  return new Map(deviceIds.map((id) => [id, 'deviceBusy']));
}

async function begin(
  trx: Transaction<Database>,
  rows: readonly NewTransferRow[],
  by: { userId: number; userName: string },
): Promise<void> {
  await explained(insertTransfers(trx, rows, by), EXPLANATIONS);
}
