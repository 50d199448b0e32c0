import { describe, expect, test } from 'vitest';
import { EXECUTION_REASONS } from './executions.ts';
import {
  DEVICE_LOG_LIMIT,
  FILE_REFUSALS,
  firmwareFileFault,
  firmwareIsFetched,
  isSameVersion,
  newTransfer,
  nextTransfer,
  plainFileName,
  TRANSFER_KINDS,
  TRANSFER_STATES,
  TRANSFER_TIMEOUT_MS,
  type Transfer,
  type TransferEvent,
  type TransferKind,
  transferIsOver,
  transferOf,
  transferResult,
} from './transfers.ts';

const RETRIES = 2;
const status = (status: string): TransferEvent => ({ type: 'reported', status, retries: RETRIES });
const versionReport = (version: string, restarted = true): TransferEvent => ({
  ...{ type: 'versionReported', version, wanted: '2.0', former: '1.0', restarted },
});

/** The transfer after events; events that change nothing are skipped. */
function after(kind: TransferKind, events: readonly TransferEvent[]): Transfer {
  return events.reduce((now, event) => nextTransfer(now, event) ?? now, newTransfer(kind));
}

const outcome = ({ state, reason, doubt }: Transfer) =>
  [state, reason, doubt && `until ${doubt}`].filter((one) => one !== null).join(' ');
const timeout: TransferEvent = { type: 'deadlinePassed' };

test.each<[string, TransferKind, TransferEvent[], string]>([
  ['nothing yet', 'software', [], 'requested'],
  [
    'a successful update',
    'software',
    [status('Downloading'), status('Downloaded'), status('Installing'), status('Installed'), versionReport('2.0')],
    'verified',
  ],
  ['installed is not a success yet', 'software', [status('Installed')], 'installed'],
  ['lost reports', 'software', [versionReport('2.0')], 'verified'],
  ['the former version in a status, while it downloads', 'software', [versionReport('1.0', false)], 'requested'],
  ['a third version in a status', 'software', [versionReport('1.5', false)], 'requested until forgotten'],
  ['the right version in a status', 'software', [versionReport('2.0', false)], 'verified'],
  [
    'the former version in a status after installing',
    'software',
    [status('Installed'), versionReport('1.0', false)],
    'installed until wrongVersion',
  ],
  ['a log and a status with the same version', 'log', [versionReport('1.0', false)], 'requested'],
  ['a log and a status with another version', 'log', [versionReport('1.1', false)], 'requested until forgotten'],
  ['a log and a boot', 'log', [versionReport('1.0')], 'requested until forgotten'],
  [
    'another version after installing',
    'software',
    [status('Installed'), versionReport('1.0')],
    'installed until wrongVersion',
  ],
  [
    'another version after installing, and no other one in time',
    'software',
    [status('Installed'), versionReport('1.0'), timeout],
    'failed wrongVersion',
  ],
  [
    'an intermediate version, then the right one',
    'software',
    [status('Installed'), versionReport('1.9'), versionReport('2.0')],
    'verified',
  ],
  ['a restart in between', 'software', [status('Downloading'), versionReport('1.0')], 'downloading until forgotten'],
  [
    'a restart after which the device goes on',
    'software',
    [status('Downloading'), versionReport('1.0'), status('Downloading')],
    'downloading',
  ],
  [
    'a restart after which the device fetches the file again',
    'software',
    [status('Downloading'), versionReport('1.0'), { type: 'moving' }],
    'downloading',
  ],
  [
    'a restart after which the device does nothing',
    'software',
    [status('Downloading'), versionReport('1.0'), timeout],
    'failed forgotten',
  ],
  ['an idle device', 'log', [status('Uploading'), status('Idle'), timeout], 'failed forgotten'],
  ['an idle device after installing', 'software', [status('Installed'), status('Idle')], 'installed'],
  ['ended by a user', 'software', [status('Downloading'), { type: 'endedByUser' }], 'failed endedByUser'],
  ['a report after the end', 'software', [{ type: 'endedByUser' }, status('Installed')], 'failed endedByUser'],
  ['a late report', 'software', [status('Installing'), status('Downloading')], 'installing'],
  ['a download with another attempt', 'software', [status('DownloadFailed'), status('Downloaded')], 'downloaded'],
  ['a download that keeps failing', 'plc', Array(3).fill(status('DownloadFailed')), 'failed downloadFailed'],
  [
    'a failed attempt reported late',
    'plc',
    [status('Downloaded'), ...Array(9).fill(status('DownloadFailed'))],
    'downloaded',
  ],
  ['an installation that fails', 'plc', [status('Installing'), status('InstallationFailed')], 'failed installFailed'],
  ['a matching signature', 'software', [status('Downloaded'), status('SignatureVerified')], 'downloaded'],
  ['a matching signature reported late', 'software', [status('Installing'), status('SignatureVerified')], 'installing'],
  ['a signature status before the download status', 'plc', [status('SignatureVerified')], 'downloaded'],
  [
    'a successful signed update',
    'software',
    [
      ...['DownloadScheduled', 'Downloading', 'DownloadPaused', 'Downloaded', 'SignatureVerified'].map(status),
      ...['InstallScheduled', 'Installing', 'InstallRebooting', 'Installed'].map(status),
      versionReport('2.0'),
    ],
    'verified',
  ],
  [
    'a wrong signature',
    'software',
    [
      status('Downloading'),
      status('Downloaded'),
      status('InvalidSignature'),
      status('Installed'),
      versionReport('2.0'),
    ],
    'failed invalidSignature',
  ],
  ['a valid certificate', 'software', [status('CertificateVerified')], 'requested'],
  [
    'a valid certificate reported late',
    'software',
    [status('Downloading'), status('CertificateVerified')],
    'downloading',
  ],
  [
    'an invalid certificate',
    'software',
    [status('Downloaded'), status('InvalidCertificate')],
    'failed invalidCertificate',
  ],
  ['a revoked certificate', 'software', [status('RevokedCertificate')], 'failed revokedCertificate'],
  ['a wrong file', 'software', [status('InstallVerificationFailed')], 'failed notInstallable'],
  ['statuses of another kind', 'software', [status('Uploaded'), status('constructor'), status('')], 'requested'],
  ['the file is transferred before the device reports it', 'software', [{ type: 'moving' }], 'downloading'],
  ['a log is transferred', 'log', [{ type: 'moving' }], 'uploading'],
  ['a log status for a firmware update', 'software', [{ type: 'received' }], 'requested'],
  ['refused', 'software', [{ type: 'refused' }], 'failed commandFailed'],
  ['rejected for any reason', 'software', [{ type: 'refused', reason: 'rejected' }], 'failed commandFailed'],
  [
    'rejected because of its certificate',
    'software',
    [{ type: 'refused', reason: 'invalidCertificate' }],
    'failed invalidCertificate',
  ],
  [
    'rejected because it was revoked',
    'software',
    [{ type: 'refused', reason: 'revokedCertificate' }],
    'failed revokedCertificate',
  ],
  [
    'rejected because it is signed',
    'software',
    [{ type: 'refused', reason: 'signedNotSupported' }],
    'failed signedNotSupported',
  ],
  [
    'rejected after it started: a late response',
    'software',
    [status('Downloading'), { type: 'refused' }],
    'downloading',
  ],
  ['a timeout without a report', 'software', [{ type: 'deadlinePassed' }], 'timedOut noProgress'],
  [
    'a timeout without a version',
    'software',
    [status('Installed'), { type: 'deadlinePassed' }],
    'timedOut notVerified',
  ],
  [
    'success stays',
    'software',
    [versionReport('2.0'), status('InstallationFailed'), { type: 'deadlinePassed' }],
    'verified',
  ],
  ['a log', 'log', [status('Uploading'), { type: 'received' }, status('Uploaded')], 'stored'],
  ['a log that arrives before its report', 'log', [{ type: 'received' }], 'stored'],
  ['a log that never arrived', 'log', [status('Uploaded'), { type: 'deadlinePassed' }], 'timedOut notReceived'],
  ['a log whose upload is not allowed', 'log', [status('PermissionDenied')], 'failed refused'],
  ['a restart before a log arrives', 'log', [status('Uploading'), versionReport('2.0')], 'uploading until forgotten'],
  ['a log that is uploaded after a restart', 'log', [versionReport('2.0'), { type: 'received' }], 'stored'],
  ['a restart without a version', 'log', [status('Uploading'), status('Booted'), timeout], 'failed forgotten'],
  ['a restart without a version', 'software', [status('Downloaded'), status('Booted'), timeout], 'failed forgotten'],
  ['a restart without a version after installing', 'plc', [status('Installed'), status('Booted')], 'installed'],
  ['a log whose upload fails', 'log', Array(3).fill(status('UploadFailed')), 'failed uploadFailed'],
  ['the same with the statuses of OCPP 2.0.1', 'log', Array(3).fill(status('UploadFailure')), 'failed uploadFailed'],
  ['a log upload with the maximum number of attempts', 'log', Array(2).fill(status('UploadFailure')), 'requested'],
  ['a log request that is not understood', 'log', [status('BadMessage'), status('Uploading')], 'failed refused'],
  [
    'a log request that is not supported',
    'log',
    [status('NotSupportedOperation'), status('Uploading')],
    'failed refused',
  ],
  ['a log upload that was cancelled', 'log', [status('AcceptedCanceled'), status('Uploading')], 'failed refused'],
  ['a log upload that continues after a failure', 'log', [status('UploadFailed'), status('Uploading')], 'uploading'],
])('%s', (_, kind, events, expected) => {
  expect(outcome(after(kind, events))).toBe(expected);
});

test('the reason of a rejected file is the reason with which an execution ends', () => {
  expect(EXECUTION_REASONS).toEqual(expect.arrayContaining([...FILE_REFUSALS]));
});

describe('in any order, with repetitions and losses', () => {
  const EVENTS: readonly TransferEvent[] = [
    ...[
      'Idle',
      'Downloading',
      'Downloaded',
      'SignatureVerified',
      'InvalidSignature',
      'DownloadFailed',
      'Installing',
      'Installed',
      'InstallationFailed',
      'Uploading',
      'Uploaded',
      'UploadFailed',
    ].map(status),
    versionReport('1.0'),
    versionReport('2.0'),
    { type: 'moving' },
    { type: 'received' },
    { type: 'refused' },
    { type: 'deadlinePassed' },
  ];
  const ORDER = ['requested', 'downloading', 'uploading', 'downloaded', 'uploaded', 'installing', 'installed'];

  test.each(TRANSFER_KINDS)('a %s keeps its invariants', (kind) => {
    let seed = 7;
    const random = (below: number) => {
      // A linear congruential generator (Numerical Recipes), which gives the same runs each time.
      seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
      return seed % below;
    };
    for (let run = 0; run < 3_000; run += 1) {
      let now = newTransfer(kind);
      const history: TransferEvent[] = [];
      for (let step = 0; step < 14; step += 1) {
        const event = EVENTS[random(EVENTS.length)]!;
        history.push(event);
        const next = nextTransfer(now, event);
        if (next === null) continue;
        const story = JSON.stringify(history);
        expect(transferIsOver(now), story).toBe(false);
        expect(next.reason !== null, story).toBe(next.state === 'failed' || next.state === 'timedOut');
        if (!transferIsOver(next))
          expect(ORDER.indexOf(next.state), story).toBeGreaterThanOrEqual(ORDER.indexOf(now.state));
        // Success depends on what the server knows, never on what the device reports about itself.
        if (next.state === 'verified') expect(event).toEqual(versionReport('2.0'));
        if (next.state === 'stored') expect(event).toEqual({ type: 'received' });
        if (kind === 'log') expect(next.state, story).not.toMatch(/^(down|install|verified)/);
        else expect(next.state, story).not.toMatch(/^(upload|stored)/);
        expect(next.failures, story).toBeLessThanOrEqual(RETRIES + 1);
        now = next;
      }
    }
  });

  test('a repeated report changes nothing, except for a failed attempt', () => {
    for (const kind of TRANSFER_KINDS)
      for (const first of EVENTS)
        for (const event of EVENTS) {
          if (event.type === 'reported' && /^(Download|Upload)Failed$/.test(event.status)) continue;
          const once = after(kind, [first, event]);
          const twice = nextTransfer(once, event);
          // A wrong version after an installation is reported only once, because it ends the transfer.
          expect(twice, JSON.stringify([kind, first, event])).toBe(null);
        }
  });
});

test.each([
  ['2.0', '2.0', true],
  ['v2.0', ' 2.0 ', true],
  ['V2.0', '2.0', true],
  ['vega', 'ega', false],
  ['2.0-v1', '2.0-1', false],
  ['2.0', '2.0.0', false],
  ['', '', false],
])('%j and %j are the same version: %s', (one, other, expected) => {
  expect(isSameVersion(one, other)).toBe(expected);
});

test.each([
  ['firmware 2.0 (final).bin', 'firmware_2.0_final_.bin'],
  ['../../etc/passwd', 'passwd'],
  ['..\\..\\boot.ini', 'boot.ini'],
  ['.hidden', 'hidden'],
  ['固件.bin', 'bin'],
  ['固件', 'file.bin'],
  ['a\r\nb.bin', 'a_b.bin'],
  [`${'x'.repeat(200)}.tar`, `${'x'.repeat(76)}.tar`],
  ['x'.repeat(80), 'x'.repeat(80)],
  ['x'.repeat(81), 'x'.repeat(80)],
  [`${'x'.repeat(76)}.tar`, `${'x'.repeat(76)}.tar`],
  [`${'x'.repeat(90)}.${'e'.repeat(10)}`, `${'x'.repeat(69)}.${'e'.repeat(10)}`],
  [`${'x'.repeat(90)}.${'e'.repeat(11)}`, 'x'.repeat(80)],
])('the safe file name for %j is %s', (name, expected) => {
  expect(plainFileName(name, 'file.bin')).toBe(expected);
});

test.each([
  [{ name: 'a.bin', size: 1 }, null],
  [{ name: 'a', size: 1 }, 'nameless'],
  [{ name: 'a.bin', size: 0 }, 'empty'],
  [{ name: 'a.bin', size: 209_715_200 }, null],
  [{ name: 'a.bin', size: 209_715_201 }, 'tooLarge'],
])('a firmware file %j: %s', (file, expected) => {
  expect(firmwareFileFault(file)).toBe(expected);
});

test('a transfer has a result exactly when it has ended', () => {
  for (const state of TRANSFER_STATES) expect(transferResult({ state }) !== 'underWay').toBe(transferIsOver({ state }));
  expect([transferResult({ state: 'verified' }), transferResult({ state: 'stored' })]).toEqual(['done', 'done']);
  expect([transferResult({ state: 'failed' }), transferResult({ state: 'timedOut' })]).toEqual(['failed', 'timedOut']);
});

test.each([
  ['upgradeSoftware', 'software'],
  ['updatePlcFirmware', 'plc'],
  ['uploadLog', 'log'],
  ['softReset', null],
] as const)('%s transfers %s', (command, kind) => {
  expect(transferOf(command)).toBe(kind);
});

test.each([
  ['requested', false],
  ['downloading', false],
  ['downloaded', true],
  ['installing', true],
  ['installed', true],
  ['failed', true],
] as const)('for firmware that is %s, the device has the file: %s', (state, fetched) => {
  expect(firmwareIsFetched(state)).toBe(fetched);
});

test('a firmware may take a day, a log an hour and 100 MiB', () => {
  expect(TRANSFER_TIMEOUT_MS).toEqual({ software: 86_400_000, plc: 86_400_000, log: 3_600_000 });
  expect(DEVICE_LOG_LIMIT).toBe(104_857_600);
});
