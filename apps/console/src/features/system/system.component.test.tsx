import { DELETION_KINDS, SYSTEM_FIGURES, SYSTEM_PROBLEMS } from '@chargehand/domain';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { expectAccessible } from '../../testing/accessibility.ts';
import { sees, tooWide } from '../../testing/on-screen.ts';
import { sample, sampleRow } from '../../testing/sample.ts';
import { showConsole } from '../../testing/show-console.tsx';

const VALUES = {
  ...{ reason: 'The disk is full.', step: 'connect', percent: 91, freeGB: '9.1', seconds: 7, certificate: 'server' },
  ...{ days: 20, hours: 48, count: 3, ms: 812, limit: 500, job: 'partitions', way: 'mqtt', error: 'no space' },
  ...{ receivers: 2, failures: 306, minutes: 75, queue: 'mails', causes: 2, mails: 42, messages: 306, commands: 1 },
};
const AT = '2026-01-10T12:00:00Z';
const minute = (index: number, probeMs: number | null) => ({
  ...{ at: new Date(Date.parse(AT) + index * 60_000).toISOString(), probeMs, probeFailed: probeMs === null },
  ...{ mqttProbeMs: 77, mqttProbeFailed: false },
  ...{ messagesPerSecond: 2, storedMs: 4, memoryBytes: 2 ** 28, eventLoopMs: 11 },
});
const job = {
  ...{
    job: 'partitions' as const,
    everySeconds: 3_600,
    runningSince: null,
    nextAt: AT,
    process: 'host-1',
    errorSearch: 'managing partitions',
  },
  last: { startedAt: AT, durationMs: 1_250, error: 'no room', requestedBy: null },
};
const answers = {
  readSystem: sample('readSystem', {
    problems: SYSTEM_PROBLEMS.map((kind) => ({ kind, severity: 'error' as const, values: VALUES })),
    figures: { ...sample('readSystem').figures, ...Object.fromEntries(SYSTEM_FIGURES.map((name) => [name, 1_234.5])) },
    statements: [
      { text: 'select s.id from "devices" d join sites s on true', calls: 1_200, meanMs: 2.5, totalMs: 3_000 },
    ],
    deletions: DELETION_KINDS.map((kind) => ({ kind, at: AT, count: 1_234_567 })),
    processes: [
      {
        ...{ name: 'host-1', version: '1.2.0', node: '24.1.0', roles: ['api', 'gateway'], startedAt: AT },
        ...{ addresses: ['http://host:8080'], renewedSeconds: 2, devices: 40, streams: 3, memoryBytes: 300_000_000 },
        replica: { state: 'late' as const, lagSeconds: 42 },
      },
    ],
    probe: {
      ...{ limitMs: 500, everySeconds: 10 },
      ways: [
        { way: 'ocpp', last: { at: AT, step: null, error: null, ms: 42, connectMs: 20, statusMs: 12, commandMs: 10 } },
        { way: 'mqtt', last: null },
      ],
    },
  }),
  countSystemProblems: { errors: 2, warnings: 1 },
  readSystemHistory: { points: [minute(0, 30), minute(1, null), minute(2, 42)] },
  listJobs: { items: [sampleRow('listJobs', job)] },
  listJobRuns: { items: [job.last, { startedAt: AT, durationMs: 5, error: null, requestedBy: 'ada' }] },
  runJob: null,
  releaseOutgoing: null,
};

test.each([
  ['en-US', [1280, 800]],
  ['zh-CN', [390, 844]],
] as const)('in %s, problems come first, each with its remedy (%j)', async (locale, size) => {
  const { t } = await showConsole('/manage/system/dashboard', { locale, size: [...size], answers });
  await sees(t('system:problems.diskFull.text', VALUES), t('system:problems.backupMissing.remedy'));
  const health = `${t('common:shell.system')}: ${t('common:shell.systemProblems', { count: 3 })}`;
  await expect.poll(() => document.querySelector(`a[aria-label="${health}"] [data-health="error"]`)).not.toBeNull();
  await sees(t('system:problems.jobFails.text', { job: t('system:jobNames.partitions') }));
  await sees(t('system:probe.ok', { time: '42 ms', limit: '500 ms' }), 'select devices, sites');
  await sees(t('system:deletions.kinds.orphanedFiles'));
  for (const [way, time] of [
    ['OCPP', '42 ms'],
    ['MQTT', '77 ms'],
  ] as const) {
    const label = { title: t('system:charts.probeMs', { way }), last: time, highest: time };
    await sees(page.getByRole('img', { name: t('system:charts.label', label) }));
  }
  expect(document.querySelectorAll('.problems li, [class*="problems"] > li')).toHaveLength(SYSTEM_PROBLEMS.length);
  // Each text and each value has a word: none is shown as its key.
  expect(document.querySelector('main')?.textContent).not.toMatch(/\{\{|problems\.|kinds\.|jobNames\.|figures\./);
  expect(tooWide()).toEqual([]);
  await expectAccessible();
});

test('a failed probe is shown with its step and its reason', async () => {
  const error = 'connect ECONNREFUSED broker-of-the-north-quay.example.org:1883';
  const last = { ...{ at: AT, step: 'status' as const, error, ms: null }, connectMs: 20, statusMs: null };
  const ways = [{ way: 'mqtt' as const, last: { ...last, commandMs: null } }];
  const probe = { limitMs: 500, everySeconds: 10, ways };
  const { t } = await showConsole('/manage/system/dashboard', {
    size: [390, 844],
    answers: { ...answers, readSystem: { ...answers.readSystem, problems: [], probe } },
  });
  await sees(t('system:problems.none'));
  const mqtt = page.getByRole('region', { name: t('system:probe.over', { way: 'MQTT' }) });
  await sees(mqtt.getByText(t('system:probe.failed', { step: t('system:probe.steps.status') })), mqtt.getByText(error));
  expect(tooWide()).toEqual([]);
});

test.each([[[1280, 800]], [[390, 844]]] as const)('root runs a job and reads its history (%j)', async (size) => {
  const { t, button, dialog, server } = await showConsole('/manage/system/dashboard?tab=jobs', {
    size: [...size],
    answers,
  });
  const name = t('system:jobNames.partitions');
  await sees(t('system:jobs.failed'));
  await button('system:jobs.runJob', { job: name }).click();
  await sees(t('system:jobs.started', { job: name }));
  expect(server.sent('runJob')[0]?.params).toEqual({ job: 'partitions' });
  expect(tooWide()).toEqual([]);
  await button('system:jobs.open', { job: name }).click();
  await sees(dialog.getByText('no room'), dialog.getByText(t('system:jobs.requestedBy', { user: 'ada' })));
  await expect
    .element(dialog.getByRole('link', { name: t('system:jobs.errors') }))
    .toHaveAttribute('href', '/manage/logs/error?source=job&search=managing+partitions');
  await expectAccessible();
});

test('root releases what a restore holds, without what waited before', async () => {
  const { t, button, dialog, server } = await showConsole('/manage/system/dashboard', { size: [390, 844], answers });
  await button('system:release.open').click();
  await dialog.getByRole('button', { name: t('system:release.ok') }).click();
  await sees(t('system:release.done'));
  expect(server.sent('releaseOutgoing')[0]?.body).toEqual({ discard: true });
});

test('other users cannot run jobs', async () => {
  const { t } = await showConsole('/manage/system/dashboard?tab=jobs', { answers, user: { root: false } });
  await sees(t('system:jobNames.partitions'));
  expect(page.getByText(t('system:jobs.run'), { exact: true }).query()).toBeNull();
});
