import type { DeletionDecision } from './deletion.ts';

/** The figures of the dashboard. Rates and times are those since the previous measurement; null: not measured. */
export const SYSTEM_FIGURES = [
  'connectedDevices',
  'ocppConnections',
  'mqttConnections',
  'liveStreams',
  'openLinks',
  'messagesPerSecond',
  'storedMs',
  'storedMsP95',
  'queuedBytes',
  'queueDelayMs',
  'refusedTelemetry',
  'waitingCommands',
  'waitingMails',
  'failedMails',
  'waitingSends',
  'readingMarks',
  'databaseBytes',
  'databaseBusy',
  'databaseConnections',
  'databaseWaiting',
  'queryMs',
  'queryMsP95',
  'databaseClockSeconds',
  'objectBytes',
  'diskFreeBytes',
  'diskBytes',
  'memoryBytes',
  'heapBytes',
  'eventLoopMs',
] as const;
export type SystemFigure = (typeof SYSTEM_FIGURES)[number];
export type SystemFigures = Readonly<Record<SystemFigure, number | null>>;

/** The protocols of the probe device. */
export const PROBE_WAYS = ['ocpp', 'mqtt'] as const;
export type ProbeWay = (typeof PROBE_WAYS)[number];

/** The steps of the probe device, in order. */
export const PROBE_STEPS = ['connect', 'status', 'command'] as const;
export type ProbeStep = (typeof PROBE_STEPS)[number];

/** The result of the probe device: the time of the whole path, or the step that failed. */
export type ProbeResult = { way: ProbeWay } & ({ step: null; ms: number } | { step: ProbeStep; ms: null });

/** What is wrong with the installation, the worst first. */
export const SYSTEM_PROBLEMS = [
  'storage',
  'outgoingHeld',
  'probeFailed',
  'diskFull',
  'queueGrows',
  'clockWrong',
  'deletionStopped',
  'deletionBehind',
  'certificateExpired',
  'backupFailed',
  'backupMissing',
  'backupOld',
  'databaseWaits',
  'databaseSlow',
  'probeSlow',
  'certificateExpires',
  'sendsFail',
  'mailsFail',
  'queueWaits',
  'jobFails',
  'jobLasts',
  'errorsSeen',
  'busy',
] as const;
export type SystemProblemKind = (typeof SYSTEM_PROBLEMS)[number];

/** The queues whose oldest entry has an age. */
export const SYSTEM_QUEUES = ['notices', 'mails', 'messages', 'webhooks'] as const;
export type SystemQueue = (typeof SYSTEM_QUEUES)[number];

/** A problem, with the values of its text. */
export interface SystemProblem {
  kind: SystemProblemKind;
  /** `error`: users or devices notice it already */
  severity: 'error' | 'warning';
  values: Readonly<Record<string, string | number>>;
}

/** What the rules know. */
export interface SystemFacts {
  now: Date;
  figures: SystemFigures;
  /** why nothing can be stored, in the language of the reader */
  storage: readonly string[];
  /** of the protocols that are tested and have a result */
  probes: readonly ProbeResult[];
  /** the time that the probe may take */
  probeLimitMs: number;
  /** by their label in the metrics, such as `server` */
  certificates: readonly { certificate: string; validTo: Date }[];
  /** the end of the last backup that succeeded; null: never; undefined: unknown */
  lastBackupAt?: Date | null | undefined;
  /** why the last backup failed; null: it succeeded, or there is none */
  backupError?: string | null | undefined;
  /** jobs of this process that fail, or whose run has not ended */
  jobs: readonly { job: string; failingSince: Date | null; runningSince: Date | null }[];
  /** what waits because the installation was restored and not released; null: everything is sent */
  held: { mails: number; messages: number; commands: number } | null;
  /** queues that have entries */
  queues: readonly { queue: SystemQueue; count: number; oldest: Date }[];
  /** webhooks and browsers whose messages fail, since when, and the failed attempts of a day; null: none */
  failingSends: { receivers: number; since: Date; failures: number } | null;
  /** causes in the error log that nobody has judged and that happened within the last hour, and how often */
  errors: { causes: number; count: number };
  /** the last decision about old data; null: none yet */
  deletion: DeletionDecision | null;
}

const DAY_MS = 86_400_000;
const LIMITS = {
  diskUsed: { warning: 0.9, error: 0.95 },
  diskFreeBytes: 2 ** 30,
  clockSeconds: 5,
  clockErrorSeconds: 60,
  certificateDays: 20,
  /** a backup every day, and a few hours for one that takes long */
  backupMs: DAY_MS + 4 * 3_600_000,
  queueDelayMs: { warning: 2_000, error: 30_000 },
  queryMsP95: { warning: 250, error: 2_000 },
  failedMails: { warning: 1, error: 10 },
  /** a receiver that restarts is no problem of the installation */
  sendsMs: { warning: 15 * 60_000, error: 3_600_000 },
  queueMs: { warning: 15 * 60_000, error: 3_600_000 },
  jobFailsMs: { warning: 0, error: 3_600_000 },
  /** longer than a backup of a large installation usually takes */
  jobLastsMs: { warning: 3 * 3_600_000, error: DAY_MS },
  errorsSeen: { warning: 1, error: 100 },
  eventLoopMs: { warning: 200, error: 1_000 },
};

/** Warnings that get worse by themselves, so that operators are notified before they are errors. */
const ANNOUNCED: readonly SystemProblemKind[] = ['certificateExpires', 'backupOld'];

/** True for a problem that the operators get a message about. The others are only on the dashboard: they come and go. */
export function isAnnounced({ kind, severity }: SystemProblem): boolean {
  return severity === 'error' || ANNOUNCED.includes(kind);
}

type Limit = { warning: number; error: number };

/** The problems of an installation, the worst first. */
export function systemProblems(facts: SystemFacts): SystemProblem[] {
  const problems = [
    ...facts.storage.map((reason) => problem('storage', 'error', { reason })),
    ...(facts.held === null ? [] : [problem('outgoingHeld', 'error', facts.held)]),
    ...ofProbes(facts),
    ...ofDisk(facts.figures),
    ...above('queueGrows', facts.figures.queueDelayMs, LIMITS.queueDelayMs, (ms) => ({
      seconds: Math.round(ms / 1000),
    })),
    ...ofClock(facts.figures.databaseClockSeconds),
    ...ofDeletion(facts.deletion),
    ...ofCertificates(facts),
    ...ofBackup(facts),
    ...ofDatabase(facts.figures),
    ...ofSends(facts),
    ...above('mailsFail', facts.figures.failedMails, LIMITS.failedMails, (count) => ({ count })),
    ...ofQueues(facts),
    ...ofJobs(facts),
    ...above('errorsSeen', facts.errors.count, LIMITS.errorsSeen, (count) => ({ count, causes: facts.errors.causes })),
    ...above('busy', facts.figures.eventLoopMs, LIMITS.eventLoopMs, (ms) => ({ ms: Math.round(ms) })),
  ];
  const rank = ({ kind, severity }: SystemProblem) =>
    (severity === 'error' ? 0 : SYSTEM_PROBLEMS.length) + SYSTEM_PROBLEMS.indexOf(kind);
  return problems.toSorted((a, b) => rank(a) - rank(b));
}

function problem(
  kind: SystemProblemKind,
  severity: SystemProblem['severity'],
  values: SystemProblem['values'] = {},
): SystemProblem {
  return { kind, severity, values };
}

function above(
  kind: SystemProblemKind,
  value: number | null,
  limit: Limit,
  values: (value: number) => SystemProblem['values'],
): SystemProblem[] {
  if (value === null || value < limit.warning) return [];
  return [problem(kind, value >= limit.error ? 'error' : 'warning', values(value))];
}

function ofProbes({ probes, probeLimitMs: limit }: SystemFacts): SystemProblem[] {
  return probes.flatMap(({ way, step, ms }) => {
    if (step !== null) return [problem('probeFailed', 'error', { way, step })];
    return ms > limit ? [problem('probeSlow', 'warning', { way, ms: Math.round(ms), limit })] : [];
  });
}

function ofDisk({ diskFreeBytes: free, diskBytes: size }: SystemFigures): SystemProblem[] {
  if (free === null || size === null || size === 0) return [];
  const values = (used: number) => ({ percent: Math.floor(used * 100), freeGB: (free / 2 ** 30).toFixed(1) });
  if (free < LIMITS.diskFreeBytes) return [problem('diskFull', 'error', values(1 - free / size))];
  return above('diskFull', 1 - free / size, LIMITS.diskUsed, values);
}

function ofClock(seconds: number | null): SystemProblem[] {
  if (seconds === null || Math.abs(seconds) < LIMITS.clockSeconds) return [];
  const severity = Math.abs(seconds) >= LIMITS.clockErrorSeconds ? 'error' : 'warning';
  return [problem('clockWrong', severity, { seconds: Math.round(Math.abs(seconds)) })];
}

function ofDeletion(decision: DeletionDecision | null): SystemProblem[] {
  if (decision === null) return [];
  if (decision.at === null) return [problem('deletionStopped', 'error', { seconds: decision.differSeconds })];
  return decision.behindDays > 0 ? [problem('deletionBehind', 'warning', { days: decision.behindDays })] : [];
}

function ofCertificates({ certificates, now }: SystemFacts): SystemProblem[] {
  return certificates.flatMap(({ certificate, validTo }) => {
    const left = validTo.getTime() - now.getTime();
    if (left <= 0) return [problem('certificateExpired', 'error', { certificate })];
    const days = Math.floor(left / DAY_MS);
    return days <= LIMITS.certificateDays ? [problem('certificateExpires', 'warning', { certificate, days })] : [];
  });
}

function ofBackup({ lastBackupAt, backupError, now }: SystemFacts): SystemProblem[] {
  if (backupError) return [problem('backupFailed', 'error', { error: backupError })];
  if (lastBackupAt === undefined) return [];
  if (lastBackupAt === null) return [problem('backupMissing', 'warning')];
  const age = now.getTime() - lastBackupAt.getTime();
  return age > LIMITS.backupMs ? [problem('backupOld', 'warning', { hours: Math.floor(age / 3_600_000) })] : [];
}

function ofDatabase({ databaseWaiting, queryMsP95 }: SystemFigures): SystemProblem[] {
  const waits =
    (databaseWaiting ?? 0) > 0 ? [problem('databaseWaits', 'warning', { count: databaseWaiting ?? 0 })] : [];
  return [...waits, ...above('databaseSlow', queryMsP95, LIMITS.queryMsP95, (ms) => ({ ms: Math.round(ms) }))];
}

function ofSends({ failingSends, now }: SystemFacts): SystemProblem[] {
  if (failingSends === null) return [];
  const { receivers, since, failures } = failingSends;
  return above('sendsFail', now.getTime() - since.getTime(), LIMITS.sendsMs, (ms) => ({
    ...{ receivers, failures, minutes: minutesOf(ms) },
  }));
}

/** Messages that are held, or whose receivers fail, are one problem, not two. */
function ofQueues({ queues, failingSends, held, now }: SystemFacts): SystemProblem[] {
  return queues.flatMap(({ queue, count, oldest }) => {
    if (held !== null && queue !== 'notices') return [];
    if (failingSends !== null && (queue === 'messages' || queue === 'webhooks')) return [];
    const values = (ms: number) => ({ queue, count, minutes: minutesOf(ms) });
    return above('queueWaits', now.getTime() - oldest.getTime(), LIMITS.queueMs, values);
  });
}

function ofJobs({ jobs, backupError, now }: SystemFacts): SystemProblem[] {
  const age = (since: Date | null) => (since === null ? null : now.getTime() - since.getTime());
  return jobs.flatMap(({ job, failingSince, runningSince }) => [
    ...(job === 'backup' && backupError
      ? []
      : above('jobFails', age(failingSince), LIMITS.jobFailsMs, () => ({ job }))),
    ...above('jobLasts', age(runningSince), LIMITS.jobLastsMs, (ms) => ({ job, hours: Math.floor(ms / 3_600_000) })),
  ]);
}

function minutesOf(ms: number): number {
  return Math.floor(ms / 60_000);
}
