import {
  nextTask,
  refusedTransfer,
  statusEvent,
  TRANSFER_RULES,
  type Transfer,
  type TransferEvent,
  transferIsOver,
  versionEvent,
} from '@chargehand/domain';
import type { QueryClient, TransferReport } from '../ports/uplink.ts';
import {
  type LockedTransfer,
  lockOverdue,
  lockTransfer,
  lockUnderWay,
  type ReportRow,
  writeReports,
  writeTransfers,
} from './transfers.store.ts';

/** The maximum number of reports that are stored for one transfer, so that a device cannot fill the table. */
const MOST_REPORTS = 100;
const LONGEST_WORD = 64;
/** Rows processed in one transaction, so that locks are short. */
const OVERDUE_ROWS = 200;

/**
 * Updates the transfers on which devices report, in the transaction that stores their messages. A report of another
 * request, without a running transfer, or that repeats another one, changes nothing. Returns the devices whose
 * transfers changed; their screens are updated after the commit.
 */
export async function storeReports(client: QueryClient, reports: TransferReport[]): Promise<number[]> {
  const underWay = await lockUnderWay(
    client,
    [...new Set(reports.map(({ deviceId }) => deviceId))].sort((a, b) => a - b),
  );
  const changed = new Map<number, LockedTransfer>();
  const rows: ReportRow[] = [];
  const devices = new Set<number>();
  const concerned = reports.flatMap((report) =>
    underWay.filter((transfer) => concerns(report, transfer)).map((transfer) => ({ report, transfer })),
  );
  for (const { report, transfer } of concerned) {
    if (transferIsOver(transfer)) continue;
    const event = eventOf(report, transfer);
    const next = event && nextTask(TRANSFER_RULES[transfer.kind], transfer, event);
    const word = wordOf(report);
    if (next) {
      Object.assign(transfer, next);
      changed.set(transfer.id, transfer);
      devices.add(report.deviceId);
    }
    // Reports between two steps are stored too, but not repeated ones.
    if (word === transfer.lastWord || transfer.reports >= MOST_REPORTS || (!next && report.kind !== 'word')) continue;
    transfer.reports += 1;
    transfer.lastWord = word;
    rows.push({ transferId: transfer.id, seq: transfer.reports, at: report.at, word, state: transfer.state });
    devices.add(report.deviceId);
  }
  await writeTransfers(client, [...changed.values()].map(withEnd));
  await writeReports(client, rows);
  return [...devices];
}

/** Updates a transfer after something that happened on the server. @returns its new state, null when nothing changed */
export async function moveOn(client: QueryClient, id: number, event: TransferEvent): Promise<LockedTransfer | null> {
  const transfer = await lockTransfer(client, id);
  const next = transfer && nextTask(TRANSFER_RULES[transfer.kind], transfer, event);
  if (next) await writeTransfers(client, [withEnd(next)]);
  return next;
}

/**
 * Ends transfers that expired or whose command did not reach the device. With devices: those of these devices, waiting
 * for locks. With null: those that nobody has locked. @returns their devices, and whether there may be more
 */
export async function endOverdue(
  client: QueryClient,
  deviceIds: readonly number[] | null,
): Promise<{ devices: number[]; more: boolean }> {
  const overdue = await lockOverdue(client, { deviceIds, limit: OVERDUE_ROWS });
  const moved = overdue.flatMap((transfer) => {
    const refused = transfer.refused && transfer.state === 'requested';
    const event: TransferEvent = refused ? refusedTransfer(transfer.why) : { type: 'timeout' };
    const next = nextTask(TRANSFER_RULES[transfer.kind], transfer, event);
    return next ? [withEnd(next)] : [];
  });
  await writeTransfers(client, moved);
  return { devices: overdue.map((transfer) => transfer.deviceId), more: overdue.length === OVERDUE_ROWS };
}

/** The same for some devices until nothing is left to end. */
export async function endAllOverdue(client: QueryClient, deviceIds: readonly number[]): Promise<void> {
  while ((await endOverdue(client, deviceIds)).more);
}

function withEnd<T extends Transfer>(transfer: T): T & { over: boolean } {
  return { ...transfer, over: transferIsOver(transfer) };
}

function concerns(report: TransferReport, transfer: LockedTransfer): boolean {
  if (report.deviceId !== transfer.deviceId) return false;
  if (report.kind === 'restart') return true;
  if (report.kind === 'version') return report.of === transfer.kind;
  if ((report.of === 'log') !== (transfer.kind === 'log')) return false;
  return report.requestId === undefined || report.requestId === String(transfer.id);
}

function eventOf(report: TransferReport, { kind, version }: LockedTransfer): TransferEvent | null {
  if (report.kind === 'restart') return { type: 'evidence', of: 'restarted' };
  return report.kind === 'version' ? versionEvent(report.version, version ?? '') : statusEvent(kind, report.word);
}

function wordOf(report: TransferReport): string {
  if (report.kind === 'restart') return 'Booted';
  // No protocol has a status with a colon, so a version can be distinguished from a status.
  const word = report.kind === 'version' ? `version:${report.version}` : report.word;
  return word.replace(/\p{Cc}/gu, ' ').slice(0, LONGEST_WORD);
}
