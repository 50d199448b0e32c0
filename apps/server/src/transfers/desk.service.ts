import { createHash, randomBytes } from 'node:crypto';
import {
  type CommandInputs,
  type FirmwareKind,
  isSameVersion,
  MAX_QUEUE_MINUTES,
  plainFileName,
  TRANSFER_PATIENCE_MS,
  TRANSFER_RETRIES,
  TRANSFER_RETRY_SECONDS,
  type Transport,
  transferOf,
} from '@chargehand/domain';
import type { Kysely, Transaction } from 'kysely';
import type { Database } from '../platform/database/schema.ts';
import { uniqueViolation } from '../platform/database/violations.ts';
import { Problem } from '../platform/http/problem.ts';
import type { TransferParams } from '../ports/device-link.ts';
import type { PlannedTransfer, TransferDesk, WantedTransfer } from '../ports/transfers.ts';
import { shareFirmwareFor } from './firmware.store.ts';
import { settle } from './progress.service.ts';
import { queryOf } from './query.ts';
import {
  insertTransfer,
  type NewTransferRow,
  type PreparedRow,
  prepareTransfer,
  softVersionOf,
} from './transfers.store.ts';

/** Where devices fetch files and put them. */
export interface FileAddresses {
  /** base URL for HTTP, without a final slash */
  http(): string;
  /** host and port of the FTP server; null while it is switched off */
  ftp(): string | null;
}

/** Bytes of chance in a credential: as many as nobody guesses, and an URL that short-sighted devices still take. */
const CREDENTIAL_BYTES = 24;

/** A command may wait so long for its device: the time of its transfer begins when the device is asked. */
const QUEUE_MS = MAX_QUEUE_MINUTES * 60_000;

/** What is kept of a credential. */
export function hashOf(credential: string): string {
  return createHash('sha256').update(credential).digest('hex');
}

/** Plans transfers for the commands that begin them, and tells devices where their files are. */
export function transferDesk(parts: { db: Kysely<Database>; addresses: FileAddresses }): TransferDesk {
  const { db, addresses } = parts;
  return {
    async plan(trx, wanted) {
      const { transport = 'http' } = wanted.inputs;
      if (transport === 'ftp' && addresses.ftp() === null) throw new Problem('ftpOff', { field: 'transport' });
      // A command that was refused a moment ago does not hold up the next one.
      await settle(queryOf(trx), wanted.deviceId);
      return wanted.kind === 'uploadLog' ? planLog(trx, wanted, transport) : await planFirmware(trx, wanted, transport);
    },

    async prepare(_deviceId, call) {
      const credential = randomBytes(CREDENTIAL_BYTES).toString('base64url');
      const row = await prepareTransfer(db, call.executionId, hashOf(credential), TRANSFER_PATIENCE_MS);
      return row === null ? null : { ...call, params: paramsOf(row, locationOf(row, credential)) };
    },
  };

  function locationOf({ id, transport, fileName }: PreparedRow, credential: string): string {
    if (transport === 'http') return `${addresses.http()}/device-files/${credential}/${fileName ?? ''}`;
    return `ftp://${ftpUserOf(id)}:${credential}@${addresses.ftp() ?? ''}/${fileName ?? ''}`;
  }
}

/** The user name under which a device signs in to fetch or put the file of a transfer. */
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
        }),
  };
}

function planLog(
  trx: Transaction<Database>,
  { deviceId, inputs }: WantedTransfer,
  transport: Transport,
): PlannedTransfer {
  const { logType = 'diagnostics', from, to } = inputs;
  if (from !== undefined && to !== undefined && Date.parse(from) >= Date.parse(to))
    throw new Problem('logTimesTurned', { field: 'to' });
  return planned(trx, inputs, {
    deviceId,
    kind: 'log',
    transport,
    firmware: null,
    formerVersion: null,
    log: { type: logType, from: from ?? null, to: to ?? null },
    patienceMs: TRANSFER_PATIENCE_MS.log + QUEUE_MS,
  });
}

async function planFirmware(
  trx: Transaction<Database>,
  { deviceId, kind: command, inputs }: WantedTransfer,
  transport: Transport,
): Promise<PlannedTransfer> {
  const kind = transferOf(command) as FirmwareKind;
  const file = await shareFirmwareFor(trx, deviceId, kind, inputs.firmwareId ?? 0);
  if (!file) throw new Problem('firmwareUnknown', { field: 'firmwareId' });
  const formerVersion = await softVersionOf(trx, deviceId, kind);
  // A device that runs the version already would prove nothing by telling it.
  if (formerVersion !== null && isSameVersion(formerVersion, file.version))
    throw new Problem('firmwareRunning', { field: 'firmwareId', values: { version: file.version } });
  const { id, version, objectKey, size, sha256 } = file;
  const fileName = plainFileName(file.fileName, 'firmware.bin');
  return planned(
    trx,
    { ...inputs, version },
    {
      deviceId,
      kind,
      transport,
      firmware: { id, version, fileName, objectKey, size, sha256 },
      formerVersion,
      log: null,
      patienceMs: TRANSFER_PATIENCE_MS[kind] + QUEUE_MS,
    },
  );
}

function planned(
  trx: Transaction<Database>,
  params: CommandInputs & { version?: string },
  row: Omit<NewTransferRow, 'executionId'>,
): PlannedTransfer {
  return {
    params,
    async begin(executionId, by) {
      try {
        await insertTransfer(trx, { ...row, executionId }, by);
      } catch (error) {
        if (uniqueViolation(error) === 'transfers_one_under_way') throw new Problem('deviceBusy');
        throw error;
      }
    },
  };
}
