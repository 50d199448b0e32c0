import { describe, expect, it } from 'vitest';
import { isKeptRun, type JobRun } from './jobs.ts';
import { SYSTEM_FIGURES, type SystemFacts, type SystemFigures, systemProblems } from './problems.ts';

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
    failingJobs: [],
    deletion: null,
  },
  ...more,
});
const figures = (more: Partial<SystemFigures>): Partial<SystemFacts> => ({ figures: { ...nothing, ...more } });
const disk = (free: number, size = 100 * 2 ** 30) => figures({ diskFreeBytes: free * 2 ** 30, diskBytes: size });
const certificate = (validTo: string) => ({ certificates: [{ certificate: 'server', validTo: at(validTo) }] });

describe('problems of the installation', () => {
  it.each<[string, Partial<SystemFacts>, ([string, string] | [string, string, object])[]]>([
    ['nothing measured', {}, []],
    ['89 % of the disk', disk(11), []],
    ['90 % of the disk', disk(10), [['diskFull', 'warning', { percent: 90, freeGB: '10.0' }]]],
    ['98 % of the disk', disk(2), [['diskFull', 'error']]],
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
      { lastBackupAt: null, backupError: 'no space', failingJobs: ['backup'] },
      [['backupFailed', 'error', { error: 'no space' }]],
    ],
    ['a queue of 3 s', figures({ queueDelayMs: 3_000 }), [['queueGrows', 'warning', { seconds: 3 }]]],
    ['a queue of 1 min', figures({ queueDelayMs: 60_000 }), [['queueGrows', 'error']]],
    ['requests without a connection', figures({ databaseWaiting: 3 }), [['databaseWaits', 'warning', { count: 3 }]]],
    ['slow queries', figures({ queryMsP95: 300 }), [['databaseSlow', 'warning', { ms: 300 }]]],
    ['failed mails', figures({ failedMails: 2 }), [['mailsFail', 'warning', { count: 2 }]]],
    ['a hundred waiting mails', figures({ waitingMails: 100 }), []],
    ['more waiting mails', figures({ waitingMails: 101 }), [['mailsWait', 'warning']]],
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
    ['a failing job', { failingJobs: ['partitions'] }, [['jobFails', 'warning', { job: 'partitions' }]]],
    ['a busy process', figures({ eventLoopMs: 250 }), [['busy', 'warning', { ms: 250 }]]],
    [
      'several, the worst first',
      {
        ...{ ...disk(10), storage: ['The disk is full'], failingJobs: ['probe'] },
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
