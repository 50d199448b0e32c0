import { endingOf } from '../text/files/files.ts';
import type { CommandKind } from './commands.ts';
import { newTask, type Task, type TaskEvent, type TaskRules } from './tasks.ts';

/** The kinds of files that are transferred to and from devices. */
export const TRANSFER_KINDS = ['software', 'plc', 'log'] as const;
export type TransferKind = (typeof TRANSFER_KINDS)[number];

/** Kinds of firmware: the software of a device, and that of its PLC. */
export const FIRMWARE_KINDS = ['software', 'plc'] as const satisfies readonly TransferKind[];
export type FirmwareKind = (typeof FIRMWARE_KINDS)[number];

/**
 * The state of a transfer. Firmware: requested, downloading, downloaded, installing, installed (reported by the device)
 * and verified (the device runs the version of the file). Logs: requested, uploading, uploaded (reported by the device)
 * and stored (the file is in the store).
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

/** Why a transfer failed or timed out. Each reason has a text in both languages in the contract. */
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
  'forgotten',
  'endedByUser',
] as const;
export type TransferReason = (typeof TRANSFER_REASONS)[number];

/** A transfer, with the evidence against it: the device forgot it, or runs another version after the installation. */
export type Transfer = Task<TransferState, TransferReason> & { kind: TransferKind };
export type TransferEvent = TaskEvent<TransferState, TransferReason>;

/** How often a device may try again, and the pause before each attempt (seconds). */
export const TRANSFER_RETRIES = 3;
export const TRANSFER_RETRY_SECONDS = 60;

/** A device that continues a transfer after a restart does so with its next attempt. */
const FORGOTTEN = { reason: 'forgotten', afterMs: 2 * TRANSFER_RETRY_SECONDS * 1_000 } as const;
/** A device that has the file may start several times, also with other versions, before it runs the right one. */
const NOT_INSTALLED = { reason: 'forgotten', afterMs: 30 * 60_000 } as const;
const WRONG_VERSION = { ...NOT_INSTALLED, reason: 'wrongVersion' } as const;

const ENDS = { failed: 'failed', timedOut: 'timedOut' } as const;

const UPGRADE: TaskRules<TransferState, TransferReason> = {
  running: ['downloading', 'downloaded', 'installing', 'installed'],
  complete: 'downloaded',
  ends: { ...ENDS, done: 'verified' },
  evidence: {
    restarted: {
      accepted: FORGOTTEN,
      // Some devices restart between two attempts.
      downloading: NOT_INSTALLED,
      downloaded: NOT_INSTALLED,
      installing: NOT_INSTALLED,
      installed: { ...NOT_INSTALLED, reason: 'notVerified' },
    },
    idle: { accepted: FORGOTTEN, downloading: FORGOTTEN, downloaded: NOT_INSTALLED, installing: NOT_INSTALLED },
    otherVersion: { installed: WRONG_VERSION },
  },
  timeout: (state) => (state === 'installed' ? 'notVerified' : 'noProgress'),
};

const LOG: TaskRules<TransferState, TransferReason> = {
  running: ['uploading', 'uploaded'],
  complete: 'uploaded',
  ends: { ...ENDS, done: 'stored' },
  evidence: {
    restarted: { accepted: FORGOTTEN, uploading: FORGOTTEN, uploaded: FORGOTTEN },
    idle: { accepted: FORGOTTEN, uploading: FORGOTTEN, uploaded: FORGOTTEN },
  },
  timeout: (state) => (state === 'uploaded' ? 'notReceived' : 'noProgress'),
};

/** Upgrades succeed when the device reports the version of the file, logs when they are stored. */
export const TRANSFER_RULES: Readonly<Record<TransferKind, TaskRules<TransferState, TransferReason>>> = {
  software: UPGRADE,
  plc: UPGRADE,
  log: LOG,
};

/** A newly requested transfer. */
export function newTransfer(kind: TransferKind): Transfer {
  return { kind, ...newTask('requested') };
}

/** The kind of transfer that a command starts; null when it transfers nothing. */
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

/** True when a transfer has ended. */
export function transferIsOver(transfer: Pick<Transfer, 'state'>): boolean {
  return transferResult(transfer) !== 'underWay';
}

/** The result of a transfer: success or not, and `underWay` until it has ended. */
export const TRANSFER_RESULTS = ['underWay', 'done', 'failed', 'timedOut'] as const;
export type TransferResult = (typeof TRANSFER_RESULTS)[number];

export function transferResult({ state }: Pick<Transfer, 'state'>): TransferResult {
  if (state === 'verified' || state === 'stored') return 'done';
  return state === 'failed' || state === 'timedOut' ? state : 'underWay';
}

/** True when the device has the file, so that its temporary credential is no longer valid. */
export function firmwareIsFetched(state: TransferState): boolean {
  return state !== 'requested' && state !== 'downloading';
}

const again = (reason: TransferReason): TransferEvent => ({ type: 'attemptFailed', reason, retries: TRANSFER_RETRIES });
const failed = (reason: TransferReason): TransferEvent => ({ type: 'ended', reason });
const reached = (state: TransferState): TransferEvent => ({ type: 'progress', state });
const IDLE: TransferEvent = { type: 'evidence', of: 'idle' };

/**
 * Firmware statuses of OCPP 1.6 §7.25, of its security whitepaper and of 2.0.1 (FirmwareStatusEnumType), and the three
 * certificate statuses that only OCPP 2.0 has. A failed download may be tried again.
 */
const FIRMWARE_WORDS: Readonly<Record<string, TransferEvent>> = {
  Idle: IDLE,
  // The device decides when it sends this: a valid certificate says nothing about the file.
  CertificateVerified: { type: 'progress' },
  DownloadScheduled: { type: 'progress' },
  Downloading: reached('downloading'),
  DownloadPaused: reached('downloading'),
  Downloaded: reached('downloaded'),
  SignatureVerified: reached('downloaded'),
  InstallScheduled: reached('downloaded'),
  Installing: reached('installing'),
  InstallRebooting: reached('installing'),
  Installed: reached('installed'),
  DownloadFailed: again('downloadFailed'),
  InvalidSignature: failed('invalidSignature'),
  InvalidCertificate: failed('invalidCertificate'),
  RevokedCertificate: failed('revokedCertificate'),
  InstallationFailed: failed('installFailed'),
  InstallVerificationFailed: failed('notInstallable'),
};

/** Log statuses of OCPP 1.6 §7.24, of its security extension and of 2.0.1 (UploadLogStatusEnumType). */
const LOG_WORDS: Readonly<Record<string, TransferEvent>> = {
  Idle: IDLE,
  Uploading: reached('uploading'),
  Uploaded: reached('uploaded'),
  UploadFailed: again('uploadFailed'),
  UploadFailure: again('uploadFailed'),
  BadMessage: failed('refused'),
  NotSupportedOperation: failed('refused'),
  PermissionDenied: failed('refused'),
  AcceptedCanceled: failed('refused'),
};

/** What a status that a device reports means for its transfer; null: nothing. */
export function statusEvent(kind: TransferKind, status: string): TransferEvent | null {
  const words = kind === 'log' ? LOG_WORDS : FIRMWARE_WORDS;
  return Object.hasOwn(words, status) ? (words[status] ?? null) : null;
}

/** What a version that a device reports means for an upgrade to another one. */
export function versionEvent(version: string, wanted: string): TransferEvent {
  return isSameVersion(version, wanted) ? { type: 'done' } : { type: 'evidence', of: 'otherVersion' };
}

/** Reasons of executions that concern the file itself. Other reasons are shown with the execution. */
export const FILE_REFUSALS = [
  'invalidCertificate',
  'revokedCertificate',
  'signedNotSupported',
] as const satisfies readonly TransferReason[];

/** What an execution that failed means for its transfer. */
export function refusedTransfer(reason: string | null): TransferEvent {
  return { type: 'refused', reason: FILE_REFUSALS.find((one) => one === reason) ?? 'commandFailed' };
}

/** True when two texts name the same version. Blanks at the ends and a leading `v` are ignored. */
export function isSameVersion(one: string, other: string): boolean {
  return bareVersion(one) === bareVersion(other) && bareVersion(one) !== '';
}

function bareVersion(version: string): string {
  return version.trim().replace(/^v(?=\d)/i, '');
}

/** Timeout of a transfer from the moment the command is sent (ms). Firmware may wait for the night, a log does not. */
export const TRANSFER_TIMEOUT_MS: Readonly<Record<TransferKind, number>> = {
  software: 24 * 60 * 60_000,
  plc: 24 * 60 * 60_000,
  log: 60 * 60_000,
};

/**
 * The usual duration of a file transfer in a batch (ms): a quarter of an hour over a poor mobile connection, and the
 * same to install the file and reconnect. A charging device takes longer.
 */
export const TRANSFER_TURN_MS = 30 * 60_000;

/** The maximum size of a device log. Bytes. */
export const DEVICE_LOG_LIMIT = 100 * 1024 * 1024;

/** The key with which devices report the version of their PLC firmware: as a parameter or as a text. */
export const PLC_VERSION_KEY = 'PlcFirmwareVersion';

/** Why a firmware file is rejected by its name or size; null when it is accepted. */
export function firmwareFileFault(file: { name: string; size: number }): 'nameless' | 'empty' | 'tooLarge' | null {
  if (endingOf(file.name) === null) return 'nameless';
  if (file.size === 0) return 'empty';
  return file.size > FIRMWARE_LIMIT ? 'tooLarge' : null;
}

/** The maximum size of a firmware file: the largest upload that is allowed (spec §9, video). Bytes. */
export const FIRMWARE_LIMIT = 200 * 1024 * 1024;

/** Characters of `signingCertificate` and `signature` in the schemas of OCPP 2.0.1 (FirmwareType). */
export const SIGNING_CERTIFICATE_LENGTH = 5_500;
export const SIGNATURE_LENGTH = 800;

/**
 * A file name that every device and protocol supports: ASCII letters, digits, dots, dashes and underscores, at most 80
 * characters, not starting with a dot. `fallback` when nothing is left of the name.
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
