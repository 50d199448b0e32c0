import type { CodeEntry } from '../operations/message.ts';

/** The system dashboard and its jobs: 11700-11719. */
export const SYSTEM_CODES = {
  jobRuns: {
    code: 11700,
    en: 'The job is running already. Wait until it has finished.',
    zh: '该任务正在运行，请等待其完成。',
  },
  jobUnknown: {
    code: 11701,
    en: 'No process runs this job now.',
    zh: '当前没有进程运行该任务。',
  },
} as const satisfies Record<string, CodeEntry>;
