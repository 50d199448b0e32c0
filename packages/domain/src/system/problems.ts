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
  'mailsFail',
  'mailsWait',
  'jobFails',
  'busy',
] as const;
export type SystemProblemKind = (typeof SYSTEM_PROBLEMS)[number];

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
  failingJobs: readonly string[];
  /** the last decision about old data; null: none yet */
  deletion: DeletionDecision | null;
}

const DAY_MS = 86_400_000;
const LIMITS = {
  diskUsed: { warning: 0.9, error: 0.97 },
  clockSeconds: 5,
  clockErrorSeconds: 60,
  certificateDays: 20,
  /** a backup every day, and a few hours for one that takes long */
  backupMs: DAY_MS + 4 * 3_600_000,
  queueDelayMs: { warning: 2_000, error: 30_000 },
  queryMsP95: { warning: 250, error: 2_000 },
  waitingMails: 100,
  eventLoopMs: { warning: 200, error: 1_000 },
};

type Limit = { warning: number; error: number };

/** The problems of an installation, the worst first. */
export function systemProblems(facts: SystemFacts): SystemProblem[] {
  const problems = [
    ...facts.storage.map((reason) => problem('storage', 'error', { reason })),
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
    ...ofMails(facts.figures),
    ...facts.failingJobs
      .filter((job) => job !== 'backup' || !facts.backupError)
      .map((job) => problem('jobFails', 'warning', { job })),
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

function ofMails({ failedMails, waitingMails }: SystemFigures): SystemProblem[] {
  const failed = (failedMails ?? 0) > 0 ? [problem('mailsFail', 'warning', { count: failedMails ?? 0 })] : [];
  const many = (waitingMails ?? 0) > LIMITS.waitingMails;
  return [...failed, ...(many ? [problem('mailsWait', 'warning', { count: waitingMails ?? 0 })] : [])];
}
