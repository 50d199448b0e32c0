import { describe, expect, it } from 'vitest';
import { isKeptRun, type JobRun } from './jobs.ts';
import {
  isAnnounced,
  SYSTEM_FIGURES,
  type SystemFacts,
  type SystemFigures,
  type SystemQueue,
  systemProblems,
} from './problems.ts';

const NOW = new Date('2026-01-10T12:00:00Z');
const at = (text: string) => new Date(text);
const nothing = Object.fromEntries(SYSTEM_FIGURES.map((name) => [name, null])) as SystemFigures;
const facts = (more: Partial<SystemFacts> = {}): SystemFacts => ({
  ...{
    now: NOW,
    figures: nothing,
    storage: [],
    probes: [],
    probeLimitMs: 500,
    certificates: [],
    jobs: [],
    queues: [],
    held: null,
    failingSends: null,
    errors: { causes: 0, count: 0 },
    deletion: null,
  },
  ...more,
});
const figures = (more: Partial<SystemFigures>): Partial<SystemFacts> => ({ figures: { ...nothing, ...more } });
const disk = (free: number, size = 100 * 2 ** 30) => figures({ diskFreeBytes: free * 2 ** 30, diskBytes: size });
const certificate = (validTo: string) => ({ certificates: [{ certificate: 'server', validTo: at(validTo) }] });

const failing = (since: string, job = 'partitions') => ({ job, failingSince: at(since), runningSince: null });
const waits = (queue: SystemQueue, oldest: string) => ({ queues: [{ queue, count: 42, oldest: at(oldest) }] });

it('announces errors, and warnings that become errors by themselves', () => {
  const given = facts({ ...disk(8), ...certificate('2026-01-30T12:00:00Z'), jobs: [failing('2026-01-10T11:59:00Z')] });
  expect(
    systemProblems(given)
      .filter(isAnnounced)
      .map(({ kind }) => kind),
  ).toEqual(['certificateExpires']);
  expect(systemProblems(facts(disk(4))).filter(isAnnounced)).toHaveLength(1);
});

describe('problems of the installation', () => {
  it.each<[string, Partial<SystemFacts>, ([string, string] | [string, string, object])[]]>([
    ['nothing measured', {}, []],
    ['89 % of the disk', disk(11), []],
    ['90 % of the disk', disk(10), [['diskFull', 'warning', { percent: 90, freeGB: '10.0' }]]],
    ['95 % of the disk', disk(5), [['diskFull', 'error']]],
    ['a small disk with less than 1 GB', disk(0.9, 4), [['diskFull', 'error', { freeGB: '0.9' }]]],
    ['a disk without a size', disk(0, 0), []],
    ['a clock 4 s off', figures({ databaseClockSeconds: 4 }), []],
    [
      'clocks that differ',
      { deletion: { at: null, differSeconds: 90 } },
      [['deletionStopped', 'error', { seconds: 90 }]],
    ],
    ['facts of three days ago', { deletion: { at: NOW, behindDays: 3 } }, [['deletionBehind', 'warning', { days: 3 }]]],
    ['deletion as usual', { deletion: { at: NOW, behindDays: 0 } }, []],
    ['a clock 5 s behind', figures({ databaseClockSeconds: -5 }), [['clockWrong', 'warning', { seconds: 5 }]]],
    ['a clock 2 min off', figures({ databaseClockSeconds: 120 }), [['clockWrong', 'error']]],
    ['a certificate for 21 days', certificate('2026-01-31T13:00:00Z'), []],
    [
      'a certificate for 20 days',
      certificate('2026-01-30T12:00:00Z'),
      [['certificateExpires', 'warning', { days: 20 }]],
    ],
    ['a certificate of yesterday', certificate('2026-01-09T12:00:00Z'), [['certificateExpired', 'error']]],
    ['unknown backups', { lastBackupAt: undefined }, []],
    ['no backup', { lastBackupAt: null }, [['backupMissing', 'warning']]],
    ['a backup of yesterday', { lastBackupAt: at('2026-01-09T12:00:00Z') }, []],
    [
      'a backup of two days ago',
      { lastBackupAt: at('2026-01-08T12:00:00Z') },
      [['backupOld', 'warning', { hours: 48 }]],
    ],
    [
      'a failed backup, which is named once',
      { lastBackupAt: null, backupError: 'no space', jobs: [failing('2026-01-10T11:59:00Z', 'backup')] },
      [['backupFailed', 'error', { error: 'no space' }]],
    ],
    ['a queue of 3 s', figures({ queueDelayMs: 3_000 }), [['queueGrows', 'warning', { seconds: 3 }]]],
    ['a queue of 1 min', figures({ queueDelayMs: 60_000 }), [['queueGrows', 'error']]],
    ['requests without a connection', figures({ databaseWaiting: 3 }), [['databaseWaits', 'warning', { count: 3 }]]],
    ['slow queries', figures({ queryMsP95: 300 }), [['databaseSlow', 'warning', { ms: 300 }]]],
    ['failed mails', figures({ failedMails: 2 }), [['mailsFail', 'warning', { count: 2 }]]],
    ['many failed mails', figures({ failedMails: 10 }), [['mailsFail', 'error', { count: 10 }]]],
    [
      'a webhook that has failed for 14 min',
      { failingSends: { receivers: 1, failures: 306, since: at('2026-01-10T11:46:00Z') } },
      [],
    ],
    [
      'webhooks that have failed for 15 min',
      { failingSends: { receivers: 2, failures: 306, since: at('2026-01-10T11:45:00Z') } },
      [['sendsFail', 'warning', { receivers: 2, failures: 306, minutes: 15 }]],
    ],
    [
      'a webhook that has failed for an hour',
      { failingSends: { receivers: 1, failures: 306, since: at('2026-01-10T11:00:00Z') } },
      [['sendsFail', 'error', { minutes: 60 }]],
    ],
    ['mails that have waited for 14 min', waits('mails', '2026-01-10T11:46:00Z'), []],
    [
      'mails that have waited for 15 min',
      waits('mails', '2026-01-10T11:45:00Z'),
      [['queueWaits', 'warning', { queue: 'mails', count: 42, minutes: 15 }]],
    ],
    ['notices that have waited for an hour', waits('notices', '2026-01-10T11:00:00Z'), [['queueWaits', 'error']]],
    [
      'messages that wait for a receiver that fails',
      {
        ...waits('messages', '2026-01-10T11:00:00Z'),
        failingSends: { receivers: 1, failures: 9, since: at('2026-01-10T11:00:00Z') },
      },
      [['sendsFail', 'error']],
    ],
    [
      'a restored copy',
      { ...waits('mails', '2026-01-10T11:00:00Z'), held: { mails: 42, messages: 306, commands: 1 } },
      [['outgoingHeld', 'error', { mails: 42, messages: 306, commands: 1 }]],
    ],
    ['errors that nobody has judged', { errors: { causes: 2, count: 99 } }, [['errorsSeen', 'warning', { causes: 2 }]]],
    ['many of them', { errors: { causes: 1, count: 100 } }, [['errorsSeen', 'error', { count: 100 }]]],
    ['a job that fails for an hour', { jobs: [failing('2026-01-10T11:00:00Z')] }, [['jobFails', 'error']]],
    [
      'a run that has not ended for three hours',
      { jobs: [{ job: 'backup', failingSince: null, runningSince: at('2026-01-10T09:00:00Z') }] },
      [['jobLasts', 'warning', { job: 'backup', hours: 3 }]],
    ],
    ['a probe in time', { probes: [{ way: 'ocpp', step: null, ms: 500 }] }, []],
    [
      'a failed probe and a slow one',
      {
        probes: [
          { way: 'ocpp', step: null, ms: 501 },
          { way: 'mqtt', step: 'connect', ms: null },
        ],
      },
      [
        ['probeFailed', 'error', { way: 'mqtt', step: 'connect' }],
        ['probeSlow', 'warning', { way: 'ocpp', ms: 501, limit: 500 }],
      ],
    ],
    [
      'a failing job',
      { jobs: [failing('2026-01-10T11:59:00Z', 'partitions')] },
      [['jobFails', 'warning', { job: 'partitions' }]],
    ],
    ['a busy process', figures({ eventLoopMs: 250 }), [['busy', 'warning', { ms: 250 }]]],
    [
      'several, the worst first',
      {
        ...{ ...disk(10), storage: ['The disk is full'], jobs: [failing('2026-01-10T11:59:00Z', 'probe')] },
        probes: [{ way: 'mqtt', step: 'command', ms: null }],
      },
      [
        ['storage', 'error', { reason: 'The disk is full' }],
        ['probeFailed', 'error'],
        ['diskFull', 'warning'],
        ['jobFails', 'warning'],
      ],
    ],
  ])('%s', (_title, given, expected) => {
    expect(systemProblems(facts(given))).toMatchObject(
      expected.map(([kind, severity, values = {}]) => ({ kind, severity, values })),
    );
    expect(systemProblems(facts(given))).toHaveLength(expected.length);
  });
});

const run = (error: string | null = null, manual = false): JobRun => ({ durationMs: 1, error, manual });
it.each([
  ['a run of an hourly job', 3_600_000, run(), run(), true],
  ['a requested job', null, run(), run(), true],
  ['one of many runs', 1_000, run(), run(), false],
  ['the first of many runs', 1_000, run(), null, false],
  ['the first failure', 1_000, run('away'), run(), true],
  ['a further failure', 1_000, run('away'), run('away'), false],
  ['the first success after failures', 1_000, run(), run('away'), true],
  ['a run that a user requested', 1_000, run(null, true), run(), true],
])('%s of its history: %s', (_title, everyMs, one, previous, kept) => {
  expect(isKeptRun(everyMs, one, previous)).toBe(kept);
});
