import {
  DELETION_KINDS,
  JOB_NAMES,
  PROBE_STEPS,
  PROBE_WAYS,
  SYSTEM_FIGURES,
  SYSTEM_PROBLEMS,
  type SystemFigure,
} from '@chargehand/domain';
import { type Static, type TSchema, Type } from 'typebox';
import { endpoint } from '../endpoint.ts';
import { Exact, NullableNumber, NullableText, NullableTime, Time, Words } from '../schemas.ts';

/** `used`, or why everything is read from the primary: it is too far behind, or does not answer. */
export const REPLICA_STATES = ['used', 'late', 'away'] as const;

const figures = Object.fromEntries(SYSTEM_FIGURES.map((name) => [name, NullableNumber])) as Record<
  SystemFigure,
  typeof NullableNumber
>;
const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

/** One measurement of the probe device. */
export const ProbeRun = Exact({
  at: Time,
  /** the step that failed; null: it succeeded */
  step: nullable(Words(PROBE_STEPS)),
  error: NullableText,
  /** the time of the whole path, and of each step; null after a failure */
  ms: NullableNumber,
  connectMs: NullableNumber,
  statusMs: NullableNumber,
  commandMs: NullableNumber,
});
export type ProbeRun = Static<typeof ProbeRun>;

export const SystemState = Exact({
  at: Time,
  problems: Type.Array(
    Exact({
      kind: Words(SYSTEM_PROBLEMS),
      severity: Words(['error', 'warning']),
      values: Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()])),
    }),
  ),
  figures: Exact(figures),
  /** the statements that took the most time since the start of the process, without their values */
  statements: Type.Array(
    Exact({ text: Type.String(), calls: Type.Integer(), meanMs: Type.Number(), totalMs: Type.Number() }),
  ),
  /** what was deleted by its age, per kind and day (UTC), the latest first */
  deletions: Type.Array(Exact({ kind: Words(DELETION_KINDS), at: Time, count: Type.Integer() })),
  /** the processes that have a lease, the one that answers first */
  processes: Type.Array(
    Exact({
      name: Type.String(),
      version: Type.String(),
      /** the version of Node.js; null: of another process */
      node: NullableText,
      roles: Type.Array(Type.String()),
      addresses: Type.Array(Type.String()),
      startedAt: Time,
      /** seconds since it renewed its lease, by the clock of the database */
      renewedSeconds: Type.Number(),
      devices: Type.Integer(),
      streams: Type.Integer(),
      memoryBytes: Type.Integer(),
      /** where it reads charts, exports and logs; null: it has no read replica */
      replica: nullable(Exact({ state: Words(REPLICA_STATES), lagSeconds: NullableNumber })),
    }),
  ),
  probe: Exact({
    limitMs: Type.Integer(),
    everySeconds: Type.Integer(),
    /** the protocols that are tested, each with its last run; none: the probe is off */
    ways: Type.Array(Exact({ way: Words(PROBE_WAYS), last: nullable(ProbeRun) })),
  }),
});
export type SystemState = Static<typeof SystemState>;

/** What the charts of the dashboard show, one measurement per minute. */
export const SYSTEM_CHARTS = [
  'probeMs',
  'mqttProbeMs',
  'messagesPerSecond',
  'storedMs',
  'memoryBytes',
  'eventLoopMs',
] as const;

export const SystemPoint = Exact({
  at: Time,
  ...{
    probeMs: NullableNumber,
    mqttProbeMs: NullableNumber,
    messagesPerSecond: NullableNumber,
    storedMs: NullableNumber,
  },
  ...{ memoryBytes: NullableNumber, eventLoopMs: NullableNumber },
  /** the probe over OCPP or MQTT failed in this minute */
  ...{ probeFailed: Type.Boolean(), mqttProbeFailed: Type.Boolean() },
});
export type SystemPoint = Static<typeof SystemPoint>;

export const JobRunRow = Exact({
  startedAt: Time,
  durationMs: Type.Number(),
  /** null when it succeeded */
  error: NullableText,
  /** who requested it; null: the schedule */
  requestedBy: NullableText,
});
export type JobRunRow = Static<typeof JobRunRow>;

export const JobRow = Exact({
  job: Words(JOB_NAMES),
  /** seconds between two runs; null: it runs on request */
  everySeconds: NullableNumber,
  runningSince: NullableTime,
  last: nullable(JobRunRow),
  nextAt: NullableTime,
  /** the process that runs it; null: every process does, or none has yet */
  process: NullableText,
  /** finds its failures in the error log */
  errorSearch: Type.String(),
});
export type JobRow = Static<typeof JobRow>;

const path = '/api/auth/sys/system';
/** The state of the installation concerns all customers. */
const policy = { route: { keys: ['auth_system_dashboard'] }, who: 'vendor', row: 'shared' } as const;
const JobParams = Exact({ job: Type.String({ maxLength: 40 }) });

/** The state of the product itself, and its scheduled work. */
export const systemEndpoints = {
  readSystem: endpoint({
    id: 'system.read',
    method: 'GET',
    path,
    policy,
    effect: 'read',
    summary: 'Get the state of the installation: problems, figures, slowest statements and the probe device',
    nameZh: '查看系统状态',
    answer: SystemState,
  }),
  countSystemProblems: endpoint({
    id: 'system.problems',
    method: 'GET',
    path: `${path}/problems/count`,
    policy,
    effect: 'read',
    summary: 'Count the problems of the installation, checked every ten seconds',
    nameZh: '统计系统问题数量',
    answer: Exact({ errors: Type.Integer(), warnings: Type.Integer() }),
  }),
  readSystemHistory: endpoint({
    id: 'system.history',
    method: 'GET',
    path: `${path}/history`,
    policy,
    effect: 'read',
    summary: 'Get the figures of the last six hours, one measurement per minute',
    nameZh: '查看系统指标历史',
    answer: Exact({ points: Type.Array(SystemPoint) }),
  }),
  listJobs: endpoint({
    id: 'system.jobs',
    method: 'GET',
    path: `${path}/jobs`,
    policy,
    effect: 'read',
    summary: 'List the scheduled work of the server with its last and next run',
    nameZh: '查询定时任务',
    answer: Exact({ items: Type.Array(JobRow) }),
  }),
  listJobRuns: endpoint({
    id: 'system.jobRuns',
    method: 'GET',
    path: `${path}/jobs/runs`,
    policy,
    effect: 'read',
    summary: 'List the stored runs of a job, newest first. Of jobs that run every few seconds, only changes are stored',
    nameZh: '查询任务运行记录',
    query: JobParams,
    answer: Exact({ items: Type.Array(JobRunRow) }),
  }),
  releaseOutgoing: endpoint({
    id: 'system.releaseOutgoing',
    method: 'POST',
    path: `${path}/outgoing/release`,
    policy: { route: { keys: ['auth_system_dashboard'] }, who: 'root', row: 'shared' },
    effect: 'control',
    summary: 'Send again after a restore; root only, recorded in the action log',
    nameZh: '恢复后继续对外发送',
    body: Exact({
      /** what waits since before the restore is not sent: mails, messages, events and commands */
      discard: Type.Boolean(),
    }),
    answer: Type.Null(),
  }),
  runJob: endpoint({
    id: 'system.runJob',
    method: 'POST',
    path: `${path}/jobs/:job/run`,
    policy: { route: { keys: ['auth_system_dashboard'] }, who: 'root', row: 'shared' },
    effect: 'control',
    summary: 'Run a job now; root only, recorded in the action log',
    nameZh: '立即运行任务',
    params: JobParams,
    body: Exact({}),
    answer: Type.Null(),
  }),
};
