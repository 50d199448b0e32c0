import { publicEndpoints } from 'virtual:public-endpoints';
import { addressOf } from '../../../shared/api/address.ts';
import { call } from '../../../shared/api/client.ts';
import { ApiProblem } from '../../../shared/api/problem.ts';
import { i18n } from '../../../shared/i18n/i18n.ts';
import { isLost, pause, sendParts } from '../../../shared/uploads/send-parts.ts';
import { forgetOld, isSent, keepReport, listReports, type QueuedFile, type QueuedReport } from './queue.ts';

/** Solves a proof of work; the application provides it. */
export type Solve = (challenge: unknown, signal: AbortSignal) => Promise<string>;

export interface Progress {
  /** bytes of the files of the report that have arrived */
  sent: number;
  total: number;
  /** it is tried again later, because the connection was lost or the server is busy */
  waiting: boolean;
  /** what the server said when it was not the connection */
  reason?: string | null;
}

const WRONG_PART = 11428;
/** The proof of work was used or is too old: the next round makes another one. */
const WRONG_PROOF = 10101;
const PAUSES = [1_000, 3_000, 10_000, 30_000] as const;

/**
 * Sends a report and its files, as often as it takes, and stores after each step how far it is, so that another visit
 * continues. Ends when everything has arrived, or the server refused the report.
 */
export async function sendReport(
  report: QueuedReport,
  {
    solve,
    signal,
    onChange,
  }: { solve: Solve; signal: AbortSignal; onChange(report: QueuedReport, at: Progress): void },
): Promise<QueuedReport> {
  let now = report;
  const total = report.files.reduce((sum, { size }) => sum + size, 0);
  const arrived = () => now.files.reduce((sum, { blob, size }) => sum + (blob === null ? size : 0), 0);
  const step = async (change: Partial<QueuedReport>) => {
    now = { ...now, ...change };
    await keepReport(now);
    onChange(now, { sent: arrived(), total, waiting: false });
  };
  for (let failures = 0; now.follow === null; failures += 1) {
    try {
      await step({ follow: await sendText(now, solve, signal), refused: null });
    } catch (error) {
      signal.throwIfAborted();
      const again = isLost(error) || (error instanceof ApiProblem && error.code === WRONG_PROOF && failures < 5);
      if (!again) {
        await step({ refused: error instanceof Error ? error.message : String(error) });
        return now;
      }
      const reason = error instanceof ApiProblem && error.kind === 'http' ? error.message : null;
      onChange(now, { sent: 0, total, waiting: true, reason });
      await pause(PAUSES[Math.min(failures, PAUSES.length - 1)] ?? 1_000, signal);
    }
  }
  const { follow } = now;
  for (const file of now.files) {
    if (file.blob === null || file.problem !== null) continue;
    const before = arrived();
    const problem = await sendFile(follow, file, file.blob, signal, (sent, waiting) =>
      onChange(now, { sent: before + Math.max(0, sent), total, waiting }),
    );
    const changed = { ...file, problem, blob: problem === null ? null : file.blob };
    await step({ files: now.files.map((one) => (one.id === file.id ? changed : one)) });
  }
  return now;
}

async function sendText(report: QueuedReport, solve: Solve, signal: AbortSignal): Promise<string> {
  const { captchaId, required, challenge } = await call('captcha', {}, { quiet: true, signal });
  const captcha = required ? await solve(challenge, signal) : undefined;
  const { key, s, connector, type, problem, sn, place, contact, notify, writtenAt } = report;
  const body = {
    ...{ requestKey: key, type, problem, notify, writtenAt, captchaId, locale: i18n.language as 'en-US' | 'zh-CN' },
    ...(s === null ? { sn, place } : { s }),
    ...(connector === null ? {} : { connector }),
    ...(contact === '' ? {} : { contact }),
    ...(captcha === undefined ? {} : { captcha }),
  };
  return (await call('sendReport', { body }, { quiet: true, signal })).follow;
}

/** Sends one file. @returns why the server refuses it; null when it has arrived */
export async function sendFile(
  f: string,
  { id, name }: Pick<QueuedFile, 'id' | 'name'>,
  blob: Blob,
  signal: AbortSignal,
  onProgress: (sent: number, waiting: boolean) => void,
): Promise<string | null> {
  const [method, path] = publicEndpoints.sendReportPart!;
  const body = { f, requestKey: id, name, size: blob.size };
  try {
    await sendParts(blob, {
      begin: () => call('startReportUpload', { body }, { quiet: true, signal }),
      target: ({ received }) => [method, addressOf(path, { params: { id }, query: { f, offset: received } })],
      ...{ wrongPart: WRONG_PART, signal, onProgress },
    });
    return null;
  } catch (error) {
    signal.throwIfAborted();
    return error instanceof Error ? error.message : String(error);
  }
}

/** The reports of this browser that have not arrived completely; those that the server refused come last. */
export async function unsentReports(): Promise<QueuedReport[]> {
  await forgetOld();
  const unsent = (await listReports()).filter((one) => !isSent(one));
  return [...unsent.filter(({ refused }) => refused === null), ...unsent.filter(({ refused }) => refused !== null)];
}
