/** The scheduled work of the server. The console has a name for each. */
export const JOB_NAMES = [
  'alarmsOffline',
  'alarmRules',
  'applicationUsage',
  'applicationCleanup',
  'attachmentCleanup',
  'attachmentScan',
  'backup',
  'certificateCheck',
  'commandSweep',
  'deviceHistoryCleanup',
  'documentCleanup',
  'documentIndex',
  'errorStorage',
  'eventCleanup',
  'eventNumbering',
  'fileCleanup',
  'issueCleanup',
  'issueReminders',
  'keyFigures',
  'leftConnections',
  'linkCheck',
  'linkCleanup',
  'linkPageUsers',
  'linkRights',
  'logCleanup',
  'lostLinks',
  'mailDelivery',
  'messageDelivery',
  'messageMails',
  'messages',
  'mqttCheck',
  'ocppCheck',
  'parameterReading',
  'parameterSecrets',
  'partitions',
  'presence',
  'probe',
  'protocolLogPacking',
  'readingPacking',
  'readingRollups',
  'requestCleanup',
  'searchWords',
  'sessionCleanup',
  'shareDownloads',
  'shareUploads',
  'statisticsCleanup',
  'storageCheck',
  'systemConditions',
  'systemFigures',
  'tokenCleanup',
  'tokenImport',
  'tokenLists',
  'traffic',
  'transferCleanup',
  'transferSweep',
  'unknownTokens',
  'waitingDevices',
  'webhookDelivery',
] as const;
export type JobName = (typeof JOB_NAMES)[number];

/**
 * Jobs that run in every process: they maintain what it has in memory or connected, or share their items by claiming
 * each. Every other job runs in one process at a time.
 */
const PROCESS_JOBS: ReadonlySet<JobName> = new Set<JobName>([
  'applicationUsage',
  'certificateCheck',
  'commandSweep',
  'errorStorage',
  'leftConnections',
  'linkCheck',
  'linkPageUsers',
  'linkRights',
  'mailDelivery',
  'messageDelivery',
  'mqttCheck',
  'ocppCheck',
  'presence',
  'probe',
  'protocolLogPacking',
  'readingPacking',
  'shareDownloads',
  'storageCheck',
  'systemFigures',
  'traffic',
  'unknownTokens',
  'waitingDevices',
  'webhookDelivery',
]);

/** Whether a job runs in one process, however many there are. */
export function runsOnce(job: JobName): boolean {
  return !PROCESS_JOBS.has(job);
}

/** One run of a job. */
export interface JobRun {
  durationMs: number;
  /** null when it succeeded */
  error: string | null;
  /** a user requested it */
  manual: boolean;
}

/** A shorter interval means thousands of runs an hour that are all the same. Milliseconds. */
const OFTEN_MS = 60_000;
/** The runs of each job that are kept. */
export const STORED_RUNS = 50;

/**
 * Whether a run belongs in the history of its job. Of a job that runs more than once a minute, only requested runs are
 * kept, and those with a different result than the previous run.
 */
export function isKeptRun(everyMs: number | null, run: JobRun, previous: JobRun | null): boolean {
  if (everyMs === null || everyMs >= OFTEN_MS || run.manual) return true;
  return (run.error !== null) !== (previous?.error != null);
}
