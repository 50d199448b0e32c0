import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LINK_ENDS, LINK_RULES } from '../links/links.ts';
import { newTask, nextTask, type Phase, phaseOf, type Task, type TaskEvent, type TaskRules } from './tasks.ts';
import {
  refusedTransfer,
  statusEvent,
  TRANSFER_REASONS,
  TRANSFER_RETRIES,
  TRANSFER_RULES,
  versionEvent,
} from './transfers.ts';

type Rules = TaskRules<string, string>;
type Event = TaskEvent<string, string>;
type One = Task<string, string>;
const KINDS = { upgrade: TRANSFER_RULES.software, log: TRANSFER_RULES.log, link: LINK_RULES } as unknown as Readonly<
  Record<string, Rules>
>;

const accepted: Event = { type: 'accepted' };
const unreadable: Event = { type: 'unreadable' };
const refused: Event = refusedTransfer('rejected');
const moving = (state: string): Event => ({ type: 'progress', state });
const status = (word: string, kind: 'software' | 'log' = 'software') => statusEvent(kind, word) as Event;
const logStatus = (word: string) => status(word, 'log');
const runs = (version: string): Event => versionEvent(version, '2.0');
const restarted: Event = { type: 'evidence', of: 'restarted' };
const disconnected: Event = { type: 'evidence', of: 'disconnected' };
const lost: Event = { type: 'evidence', of: 'lost' };
const done: Event = { type: 'done' };
const endedByUser: Event = { type: 'ended', reason: 'endedByUser' };
const timeout: Event = { type: 'timeout' };
const stored = done;
/** A start with a version, as devices report it. */
const boot = (version: string): Event[] => [runs(version), restarted];

/** The task after events; events that change nothing are skipped. */
function after(rules: Rules, events: readonly Event[]): One {
  return events.reduce<One>((now, event) => nextTask(rules, now, event) ?? now, newTask('requested'));
}

/** State and reason, and the evidence with its time in minutes. */
function shown(rules: Rules, task: One): string {
  const state = phaseOf(rules, task) === 'accepted' ? 'accepted' : task.state;
  const doubt = task.doubt && `${task.doubt.reason} in ${task.doubt.afterMs / 60_000}`;
  return [state, task.reason, doubt].filter((one) => one !== null).join(' ');
}

describe('an upgrade', () => {
  const ATTEMPTS = Array<Event>(TRANSFER_RETRIES + 1).fill(status('DownloadFailed'));
  const SIGNED = ['DownloadScheduled', 'Downloading', 'DownloadPaused', 'Downloaded', 'SignatureVerified'];
  test.each<[string, Event[], string]>([
    ['requested', [], 'requested'],
    ['accepted', [accepted], 'accepted'],
    ['with a response that cannot be read', [unreadable], 'accepted'],
    ['rejected', [refused], 'failed commandFailed'],
    ['rejected because of its certificate', [refusedTransfer('invalidCertificate')], 'failed invalidCertificate'],
    ['rejected because it was revoked', [refusedTransfer('revokedCertificate')], 'failed revokedCertificate'],
    ['rejected because it is signed', [refusedTransfer('signedNotSupported')], 'failed signedNotSupported'],
    ['rejected after it started: a late response', [status('Downloading'), refused], 'downloading'],
    [
      'that succeeds',
      [accepted, ...['Downloading', 'Installed'].map((one) => status(one)), ...boot('2.0')],
      'verified',
    ],
    ['that is signed', [...SIGNED, 'InstallRebooting', 'Installed'].map((one) => status(one)), 'installed'],
    ['whose reports are lost', [...boot('2.0')], 'verified'],
    ['downloaded before a report', [moving('downloading')], 'downloading'],
    ['with a late report', [status('Installing'), status('Downloading')], 'installing'],
    ['whose certificate is valid', [status('CertificateVerified')], 'requested'],
    ['whose signature is valid', [status('SignatureVerified')], 'downloaded'],
    ['with a wrong signature', [status('InvalidSignature'), ...boot('2.0')], 'failed invalidSignature'],
    ['with an invalid certificate', [status('InvalidCertificate')], 'failed invalidCertificate'],
    ['with a revoked certificate', [status('RevokedCertificate')], 'failed revokedCertificate'],
    ['with a wrong file', [status('InstallVerificationFailed')], 'failed notInstallable'],
    ['that cannot be installed', [status('Installing'), status('InstallationFailed')], 'failed installFailed'],
    ['with a second attempt', [status('DownloadFailed'), status('Downloaded')], 'downloaded'],
    ['whose attempts all fail', ATTEMPTS, 'failed downloadFailed'],
    ['with an attempt that is left', ATTEMPTS.slice(1), 'requested'],
    ['with failed attempts reported late', [status('Downloaded'), ...ATTEMPTS], 'downloaded'],
    ['that a user ends', [status('Downloading'), endedByUser, status('Installed')], 'failed endedByUser'],
    ['without a report', [accepted, timeout], 'timedOut noProgress'],
    ['without a version', [status('Installed'), timeout], 'timedOut notVerified'],
    ['that succeeded', [...boot('2.0'), status('InstallationFailed'), endedByUser, timeout], 'verified'],
    // evidence
    ['restarted before the response', [...boot('1.0')], 'requested'],
    ['idle before the response', [status('Idle')], 'requested'],
    ['accepted, then a restart', [accepted, ...boot('1.0')], 'accepted forgotten in 2'],
    ['accepted, then a restart without a version', [accepted, restarted], 'accepted forgotten in 2'],
    ['accepted, a restart, nothing', [accepted, ...boot('1.0'), timeout], 'failed forgotten'],
    ['accepted, a restart, then planned', [accepted, ...boot('1.0'), status('DownloadScheduled')], 'accepted'],
    ['accepted, a restart, the download', [accepted, ...boot('1.0'), moving('downloading')], 'downloading'],
    ['accepted, then a version without a restart', [accepted, runs('1.0')], 'accepted'],
    ['accepted, then idle', [accepted, status('Idle')], 'accepted forgotten in 2'],
    ['a restart in the download', [status('Downloading'), ...boot('1.0')], 'downloading forgotten in 30'],
    ['then idle', [status('Downloading'), ...boot('1.0'), status('Idle')], 'downloading forgotten in 2'],
    ['then a download', [status('Downloading'), ...boot('1.0'), moving('downloading')], 'downloading'],
    ['idle in the download', [status('Downloading'), status('Idle')], 'downloading forgotten in 2'],
    ['idle, then a restart', [status('Downloading'), status('Idle'), restarted], 'downloading forgotten in 2'],
    ['idle while bytes arrive', [status('Downloading'), status('Idle'), { type: 'progress' }], 'downloading'],
    ['idle with the file', [status('Downloaded'), status('Idle')], 'downloaded forgotten in 30'],
    ['a restart with the file', [status('Installing'), ...boot('1.0')], 'installing forgotten in 30'],
    ['idle after the installation', [status('Installed'), status('Idle')], 'installed'],
    ['a restart without a version after it', [status('Installed'), restarted], 'installed notVerified in 30'],
    ['another version after it', [status('Installed'), ...boot('1.0')], 'installed wrongVersion in 30'],
    ['and no other one', [status('Installed'), ...boot('1.0'), timeout], 'failed wrongVersion'],
    ['an intermediate version', [status('Installed'), ...boot('1.9'), ...boot('2.0')], 'verified'],
  ])('%s', (_, events, expected) => {
    expect(shown(KINDS.upgrade!, after(KINDS.upgrade!, events))).toBe(expected);
  });
});

describe('a log', () => {
  test.each<[string, Event[], string]>([
    ['uploaded', [accepted, logStatus('Uploading'), logStatus('Uploaded')], 'uploaded'],
    ['stored before its report', [stored, logStatus('Uploaded')], 'stored'],
    ['uploaded and never received', [logStatus('Uploaded'), timeout], 'timedOut notReceived'],
    ['without progress', [logStatus('Uploading'), timeout], 'timedOut noProgress'],
    ['not allowed', [logStatus('PermissionDenied'), logStatus('Uploading')], 'failed refused'],
    ['not understood', [logStatus('BadMessage')], 'failed refused'],
    ['not supported', [logStatus('NotSupportedOperation')], 'failed refused'],
    ['cancelled', [logStatus('AcceptedCanceled')], 'failed refused'],
    ['that fails', Array(TRANSFER_RETRIES + 1).fill(logStatus('UploadFailed')), 'failed uploadFailed'],
    ['that fails in OCPP 2.0.1', Array(TRANSFER_RETRIES + 1).fill(logStatus('UploadFailure')), 'failed uploadFailed'],
    ['with a second attempt', [logStatus('UploadFailed'), logStatus('Uploading')], 'uploading'],
    ['a restart', [logStatus('Uploading'), restarted], 'uploading forgotten in 2'],
    ['a restart, then nothing', [accepted, restarted, timeout], 'failed forgotten'],
    ['a restart, then the log', [accepted, restarted, stored], 'stored'],
    ['idle', [logStatus('Uploading'), logStatus('Idle')], 'uploading forgotten in 2'],
    ['ended by a user', [accepted, endedByUser, stored], 'failed endedByUser'],
  ])('%s', (_, events, expected) => {
    expect(shown(KINDS.log!, after(KINDS.log!, events))).toBe(expected);
  });
});

describe('a link', () => {
  const open = moving('open');
  test.each<[string, Event[], string]>([
    ['accepted', [accepted], 'accepted'],
    ['with a response that cannot be read', [unreadable], 'accepted'],
    ['open', [accepted, open], 'open'],
    ['open before the response', [open, accepted], 'open'],
    ['that never opened', [accepted, disconnected], 'ended connectFailed'],
    ['that was lost before it opened', [lost], 'ended connectFailed'],
    ['closed by its device', [open, disconnected], 'ended closedByDevice'],
    ['lost', [open, lost], 'ended lost'],
    ['destroyed, then lost', [open, { type: 'ended', reason: 'destroyed' }, lost], 'ended destroyed'],
    ['a restart of its device', [accepted, restarted], 'accepted'],
    ['past its time', [open, timeout], 'ended expired'],
  ])('%s', (_, events, expected) => {
    expect(shown(KINDS.link!, after(KINDS.link!, events))).toBe(expected);
  });
});

test('after any events, every task only moves forward, ends once and stays ended', () => {
  const PHASES: Phase[] = ['requested', 'accepted', 'running', 'ended'];
  const events = fc.array(
    fc.oneof(
      fc.constantFrom<Event>(
        accepted,
        unreadable,
        refused,
        restarted,
        disconnected,
        lost,
        done,
        timeout,
        ...boot('1.0'),
      ),
      fc
        .constantFrom('Idle', 'Downloading', 'Downloaded', 'DownloadFailed', 'Installing', 'Installed')
        .map((one) => status(one)),
      fc.constantFrom('Idle', 'Uploading', 'UploadFailed', 'Uploaded', 'BadMessage').map(logStatus),
      fc.constantFrom('open', 'downloading', 'uploading').map(moving),
      fc.constantFrom(...LINK_ENDS, ...TRANSFER_REASONS).map((reason): Event => ({ type: 'ended', reason })),
    ),
    { maxLength: 20 },
  );
  fc.assert(
    fc.property(fc.constantFrom(...Object.values(KINDS)), events, (rules, all) => {
      let task: One = newTask('requested');
      for (const event of all) {
        const next = nextTask(rules, task, event);
        if (next === null) continue;
        const [before, now] = [phaseOf(rules, task), phaseOf(rules, next)];
        expect(before).not.toBe('ended');
        expect(PHASES.indexOf(now)).toBeGreaterThanOrEqual(PHASES.indexOf(before));
        const forward = rules.running.indexOf(next.state) >= rules.running.indexOf(task.state);
        expect(now === 'ended' || forward).toBe(true);
        expect(next.reason !== null).toBe(now === 'ended' && event.type !== 'done');
        if (now === 'ended') expect(next.doubt).toBeNull();
        if (event.type !== 'attemptFailed') expect(nextTask(rules, next, event)).toBeNull();
        task = next;
      }
    }),
  );
});
