import { endingOf } from '../text/files/files.ts';
import type { CommandKind } from './commands.ts';

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

export interface Transfer {
  kind: TransferKind;
  state: TransferState;
  reason: TransferReason | null;
  /** attempts that the device reported as failed */
  failures: number;
  /**
   * What the device contradicted: it ends the transfer after `EVIDENCE_MS`, unless the device reports progress or the
   * right version before. Null without such evidence.
   */
  doubt: TransferDoubt | null;
}

/**
 * Evidence that a transfer will not end by itself: the device reported that it does nothing or started again
 * (`forgotten`), or runs another version after the installation (`wrongVersion`).
 */
export type TransferDoubt = Extract<TransferReason, 'forgotten' | 'wrongVersion'>;

/**
 * How long a device may take to prove that its transfer goes on. Many devices boot into another version first, or
 * continue a download after a restart. Milliseconds.
 */
export const EVIDENCE_MS = 30 * 60_000;

export type TransferEvent =
  /** the command did not reach the device or the device rejected it; with the reason of the execution */
  | { type: 'refused'; reason?: string | null }
  /** the device reports its progress, with the statuses of its protocol; with the maximum number of attempts */
  | { type: 'reported'; status: string; retries: number }
  /**
   * the device reports the version that it runs, because it started or only repeats it (`restarted`); `former` is the
   * version at the request, null if it is not known
   */
  | { type: 'versionReported'; version: string; wanted: string; former: string | null; restarted: boolean }
  /** bytes of the file are transferred over the connection */
  | { type: 'moving' }
  /** the complete log is stored */
  | { type: 'received' }
  /** a user ends it; what the device does meanwhile is not known */
  | { type: 'endedByUser' }
  | { type: 'deadlinePassed' };

/** A newly requested transfer. */
export function newTransfer(kind: TransferKind): Transfer {
  return { kind, state: 'requested', reason: null, failures: 0, doubt: null };
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

const ENDS: ReadonlySet<TransferState> = new Set(['verified', 'stored', 'failed', 'timedOut']);

/** True when a transfer has ended. */
export function transferIsOver({ state }: Pick<Transfer, 'state'>): boolean {
  return ENDS.has(state);
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

/** The meaning of a protocol status for a transfer: its progress or its error. */
type Meaning = { state: TransferState } | { fault: TransferReason; again: boolean };

/**
 * Firmware statuses of OCPP 1.6 §7.25, of its security whitepaper and of 2.0.1 (FirmwareStatusEnumType), and the three
 * certificate statuses that only OCPP 2.0 has. `Idle` is evidence against a running transfer. A failed download
 * may be tried again.
 */
const FIRMWARE_WORDS: Readonly<Record<string, Meaning>> = {
  // The device decides when it sends this: a valid certificate says nothing about the file.
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

/** The order of the states. A late report never moves a transfer back. */
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
 * The transfer after an event, or null when the event changes nothing. An ended transfer keeps its result; repeated or
 * late reports never move it back. Firmware succeeds only when the device reports the version of the file, a log only
 * when it is stored. All other reports of the device are only progress.
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
      // A device reports its version when it starts, so it may have forgotten the log. Repeated, it proves nothing.
      if (kind === 'log') return isRepeated(event) ? null : doubted(transfer, 'forgotten');
      if (isSameVersion(event.version, event.wanted)) return { ...transfer, state: 'verified', doubt: null };
      if (state === 'installed') return doubted(transfer, 'wrongVersion');
      return isRepeated(event) ? null : doubted(transfer, 'forgotten');
    case 'moving':
      return state === 'requested' || transfer.doubt !== null
        ? advanced(transfer, kind === 'log' ? 'uploading' : 'downloading')
        : null;
    case 'received':
      return kind === 'log' ? { ...transfer, state: 'stored', doubt: null } : null;
    case 'endedByUser':
      return failed(transfer, 'endedByUser');
    case 'deadlinePassed':
      if (transfer.doubt !== null) return failed(transfer, transfer.doubt);
      return { ...transfer, state: 'timedOut', reason: lateness(state) };
  }
}

/** True for the version from before the request, reported without a restart. */
function isRepeated({ version, former, restarted }: Extract<TransferEvent, { type: 'versionReported' }>): boolean {
  return !restarted && (former === null || isSameVersion(version, former));
}

/** The transfer with evidence against it; null when it had such evidence before. */
function doubted(transfer: Transfer, doubt: TransferDoubt): Transfer | null {
  return transfer.doubt === null ? { ...transfer, doubt } : null;
}

/** The transfer after progress, which removes doubts. It never goes back to an earlier state. */
function advanced(transfer: Transfer, state: TransferState): Transfer | null {
  if (rank(state) > rank(transfer.state)) return { ...transfer, state, doubt: null };
  return transfer.doubt === null ? null : { ...transfer, doubt: null };
}

/** What is noted as a status when a device started and did not report its version. */
export const BOOTED = 'Booted';

function reported(transfer: Transfer, event: { status: string; retries: number }): Transfer | null {
  const words = transfer.kind === 'log' ? LOG_WORDS : FIRMWARE_WORDS;
  // After an installation, a device that does nothing has only its version left to report.
  if (event.status === 'Idle' || event.status === BOOTED)
    return rank(transfer.state) < rank('installed') ? doubted(transfer, 'forgotten') : null;
  const meaning = Object.hasOwn(words, event.status) ? words[event.status] : undefined;
  if (!meaning) return null;
  if ('state' in meaning) return advanced(transfer, meaning.state);
  if (!meaning.again) return failed(transfer, meaning.fault);
  // A failed attempt that is reported after the next attempt succeeded.
  if (rank(transfer.state) >= rank('downloaded')) return null;
  const failures = transfer.failures + 1;
  return failures > event.retries ? { ...failed(transfer, meaning.fault), failures } : { ...transfer, failures };
}

function failed(transfer: Transfer, reason: TransferReason): Transfer {
  return { ...transfer, state: 'failed', reason, doubt: null };
}

/** Reasons of executions that concern the file itself. Other reasons are shown with the execution. */
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

/** How often a device may try again, and the pause before each attempt (seconds). */
export const TRANSFER_RETRIES = 3;
export const TRANSFER_RETRY_SECONDS = 60;

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
