import { endingOf } from '../text/files.ts';
import type { CommandKind } from './commands.ts';

/** What moves between here and a device. */
export const TRANSFER_KINDS = ['software', 'plc', 'log'] as const;
export type TransferKind = (typeof TRANSFER_KINDS)[number];

/** Kinds of firmware: the software of a device, and that of its PLC. */
export const FIRMWARE_KINDS = ['software', 'plc'] as const satisfies readonly TransferKind[];
export type FirmwareKind = (typeof FIRMWARE_KINDS)[number];

/**
 * How far a transfer is. Firmware: requested, downloading, downloaded, installing, installed (as the device says) and
 * verified (the device runs the version of the file). Logs: requested, uploading, uploaded (as the device says) and
 * stored (the file is here).
 */
export const TRANSFER_STATES = [
  'requested',
  'downloading',
  'downloaded',
  'installing',
  'installed',
  'verified',
  'uploading',
  'uploaded',
  'stored',
  'failed',
  'timedOut',
] as const;
export type TransferState = (typeof TRANSFER_STATES)[number];

/** Why a transfer failed or ran out of time; each has a sentence in both languages in the contract. */
export const TRANSFER_REASONS = [
  'commandFailed',
  'downloadFailed',
  'invalidSignature',
  'invalidCertificate',
  'revokedCertificate',
  'signedNotSupported',
  'installFailed',
  'notInstallable',
  'wrongVersion',
  'uploadFailed',
  'refused',
  'noProgress',
  'notVerified',
  'notReceived',
] as const;
export type TransferReason = (typeof TRANSFER_REASONS)[number];

export interface Transfer {
  kind: TransferKind;
  state: TransferState;
  reason: TransferReason | null;
  /** tries that the device said had failed */
  failures: number;
}

export type TransferEvent =
  /** the command did not reach the device, or the device refused it, for the reason that its execution ended with */
  | { type: 'refused'; reason?: string | null }
  /** the device tells how far it is, in the words of its protocol; it may try again so often in all */
  | { type: 'reported'; status: string; retries: number }
  /** the device tells which version it runs */
  | { type: 'versionReported'; version: string; wanted: string }
  /** bytes of the file go over the connection */
  | { type: 'moving' }
  /** the log is here, whole */
  | { type: 'received' }
  | { type: 'deadlinePassed' };

/** A transfer that was just asked for. */
export function newTransfer(kind: TransferKind): Transfer {
  return { kind, state: 'requested', reason: null, failures: 0 };
}

/** The kind of transfer that a kind of command begins; null when it moves nothing. */
export function transferOf(command: CommandKind): TransferKind | null {
  switch (command) {
    case 'upgradeSoftware':
      return 'software';
    case 'updatePlcFirmware':
      return 'plc';
    case 'uploadLog':
      return 'log';
    default:
      return null;
  }
}

const ENDS: ReadonlySet<TransferState> = new Set(['verified', 'stored', 'failed', 'timedOut']);

/** True when nothing changes a transfer any more. */
export function transferIsOver({ state }: Pick<Transfer, 'state'>): boolean {
  return ENDS.has(state);
}

/** What a transfer comes to, for whoever only asks whether it was a success; `underWay` until it has ended. */
export const TRANSFER_RESULTS = ['underWay', 'done', 'failed', 'timedOut'] as const;
export type TransferResult = (typeof TRANSFER_RESULTS)[number];

export function transferResult({ state }: Pick<Transfer, 'state'>): TransferResult {
  if (state === 'verified' || state === 'stored') return 'done';
  return state === 'failed' || state === 'timedOut' ? state : 'underWay';
}

/** True when the device has the file, so that its credential opens nothing any more. */
export function firmwareIsFetched(state: TransferState): boolean {
  return state !== 'requested' && state !== 'downloading';
}

/** What a word of a protocol says of a transfer: how far it is, or what went wrong. */
type Meaning = { state: TransferState } | { fault: TransferReason; again: boolean };

/**
 * Firmware statuses of OCPP 1.6 §7.25, of its security whitepaper and of 2.0.1 (FirmwareStatusEnumType), and the three
 * on certificates that only OCPP 2.0 has; `Idle` says nothing of a transfer. A download that failed may be tried again.
 */
const FIRMWARE_WORDS: Readonly<Record<string, Meaning>> = {
  // When it does so is the device's matter: that the certificate is good says nothing of the file.
  CertificateVerified: { state: 'requested' },
  DownloadScheduled: { state: 'requested' },
  Downloading: { state: 'downloading' },
  DownloadPaused: { state: 'downloading' },
  Downloaded: { state: 'downloaded' },
  SignatureVerified: { state: 'downloaded' },
  InstallScheduled: { state: 'downloaded' },
  Installing: { state: 'installing' },
  InstallRebooting: { state: 'installing' },
  Installed: { state: 'installed' },
  DownloadFailed: { fault: 'downloadFailed', again: true },
  InvalidSignature: { fault: 'invalidSignature', again: false },
  InvalidCertificate: { fault: 'invalidCertificate', again: false },
  RevokedCertificate: { fault: 'revokedCertificate', again: false },
  InstallationFailed: { fault: 'installFailed', again: false },
  InstallVerificationFailed: { fault: 'notInstallable', again: false },
};

/** Log statuses of OCPP 1.6 §7.24, of its security extension and of 2.0.1 (UploadLogStatusEnumType). */
const LOG_WORDS: Readonly<Record<string, Meaning>> = {
  Uploading: { state: 'uploading' },
  Uploaded: { state: 'uploaded' },
  UploadFailed: { fault: 'uploadFailed', again: true },
  UploadFailure: { fault: 'uploadFailed', again: true },
  BadMessage: { fault: 'refused', again: false },
  NotSupportedOperation: { fault: 'refused', again: false },
  PermissionDenied: { fault: 'refused', again: false },
  AcceptedCanceled: { fault: 'refused', again: false },
};

/** The order in which states follow each other; what comes late never leads back. */
const RANKS: Readonly<Partial<Record<TransferState, number>>> = {
  requested: 0,
  downloading: 1,
  downloaded: 2,
  installing: 3,
  installed: 4,
  uploading: 1,
  uploaded: 2,
};

function rank(state: TransferState): number {
  return RANKS[state] ?? Number.POSITIVE_INFINITY;
}

/**
 * The transfer after an event, or null when the event changes nothing. What ended stays as it ended; reports that come
 * twice or late never lead back. Firmware is a success only when the device itself tells the version of the file, a log
 * only when it is here: what the device says of its own doing is progress and no more.
 */
export function nextTransfer(transfer: Transfer, event: TransferEvent): Transfer | null {
  if (transferIsOver(transfer)) return null;
  const { kind, state } = transfer;
  switch (event.type) {
    case 'refused':
      return state === 'requested' ? failed(transfer, refusalOf(event.reason)) : null;
    case 'reported':
      return reported(transfer, event);
    case 'versionReported':
      if (kind === 'log') return null;
      if (isSameVersion(event.version, event.wanted)) return { ...transfer, state: 'verified' };
      return state === 'installed' ? failed(transfer, 'wrongVersion') : null;
    case 'moving':
      return state === 'requested' ? { ...transfer, state: kind === 'log' ? 'uploading' : 'downloading' } : null;
    case 'received':
      return kind === 'log' ? { ...transfer, state: 'stored' } : null;
    case 'deadlinePassed':
      return { ...transfer, state: 'timedOut', reason: lateness(state) };
  }
}

function reported(transfer: Transfer, event: { status: string; retries: number }): Transfer | null {
  const words = transfer.kind === 'log' ? LOG_WORDS : FIRMWARE_WORDS;
  const meaning = Object.hasOwn(words, event.status) ? words[event.status] : undefined;
  if (!meaning) return null;
  if ('state' in meaning)
    return rank(meaning.state) > rank(transfer.state) ? { ...transfer, state: meaning.state } : null;
  if (!meaning.again) return failed(transfer, meaning.fault);
  // A failed try that is told after the next one succeeded.
  if (rank(transfer.state) >= rank('downloaded')) return null;
  const failures = transfer.failures + 1;
  return failures > event.retries ? { ...failed(transfer, meaning.fault), failures } : { ...transfer, failures };
}

function failed(transfer: Transfer, reason: TransferReason): Transfer {
  return { ...transfer, state: 'failed', reason };
}

/** Reasons of executions that say what is wrong with the file itself; all else stands with the execution. */
export const FILE_REFUSALS = [
  'invalidCertificate',
  'revokedCertificate',
  'signedNotSupported',
] as const satisfies readonly TransferReason[];

function refusalOf(reason: string | null | undefined): TransferReason {
  return FILE_REFUSALS.find((one) => one === reason) ?? 'commandFailed';
}

function lateness(state: TransferState): TransferReason {
  if (state === 'installed') return 'notVerified';
  return state === 'uploaded' ? 'notReceived' : 'noProgress';
}

/** True when two texts name the same version: blanks around it and an initial `v` say nothing. */
export function isSameVersion(one: string, other: string): boolean {
  return bareVersion(one) === bareVersion(other) && bareVersion(one) !== '';
}

function bareVersion(version: string): string {
  return version.trim().replace(/^v(?=\d)/i, '');
}

/** How long a transfer may take from the moment the device is asked (ms): a firmware may wait for the night, a log does not. */
export const TRANSFER_TIMEOUT_MS: Readonly<Record<TransferKind, number>> = {
  software: 24 * 60 * 60_000,
  plc: 24 * 60 * 60_000,
  log: 60 * 60_000,
};

/**
 * How long a device of a batch moves its file as a rule (ms): a quarter of an hour over a poor mobile connection, and
 * as long to install it and come back. One that charges takes longer.
 */
export const TRANSFER_TURN_MS = 30 * 60_000;

/** How often a device may try again, and the pause before it does (seconds). */
export const TRANSFER_RETRIES = 3;
export const TRANSFER_RETRY_SECONDS = 60;

/** The largest log that is taken from a device. Bytes. */
export const DEVICE_LOG_LIMIT = 100 * 1024 * 1024;

/** The key under which devices tell the version of their PLC's firmware: as a parameter, or in words. */
export const PLC_VERSION_KEY = 'PlcFirmwareVersion';

/** Why a firmware file cannot be taken by its name and size; null when it can. */
export function firmwareFileFault(file: { name: string; size: number }): 'nameless' | 'empty' | 'tooLarge' | null {
  if (endingOf(file.name) === null) return 'nameless';
  if (file.size === 0) return 'empty';
  return file.size > FIRMWARE_LIMIT ? 'tooLarge' : null;
}

/** The largest firmware file: what one may upload at all (spec §9, video). Bytes. */
export const FIRMWARE_LIMIT = 200 * 1024 * 1024;

/** Characters of `signingCertificate` and `signature` in the schemas of OCPP 2.0.1 (FirmwareType). */
export const SIGNING_CERTIFICATE_LENGTH = 5_500;
export const SIGNATURE_LENGTH = 800;

/**
 * A file name that every device and protocol takes: ASCII letters, digits, dots, dashes and underscores, at most 80, no
 * dot at its beginning. `fallback` when nothing is left of it.
 */
export function plainFileName(name: string, fallback: string): string {
  const last = name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1);
  const plain = last.replace(/[^A-Za-z0-9._-]+/g, '_').replace(/^[._-]+/, '');
  if (plain === '') return fallback;
  if (plain.length <= 80) return plain;
  const ending = endingOf(plain);
  const tail = ending === null || ending.length > 10 ? '' : `.${ending}`;
  return plain.slice(0, 80 - tail.length) + tail;
}
