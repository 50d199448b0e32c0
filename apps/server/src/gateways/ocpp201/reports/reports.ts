import type { Clock } from '../../../platform/clock.ts';
import type { UplinkEvent } from '../../../ports/uplink.ts';
import type { Outcome } from '../../ocpp/dialect.ts';
import type { ParameterEntry } from '../variables.ts';

/** A report that was requested, and its progress. */
interface Awaited {
  executionId: string;
  /** it contains everything: a variable that is not in it does not exist */
  whole: boolean;
  parts: Set<number>;
  /** number of the part that was marked as the last */
  last: number | null;
  entries: Map<string, ParameterEntry>;
  /** time of the latest sign of progress, milliseconds since the epoch */
  lastSignAt: number;
}

/** The reports that were requested on one connection. */
export interface Reports {
  /** A report is requested with a number. */
  requestReport(requestId: number, executionId: string, whole: boolean): void;
  /** The execution that a report answers; null for a report without one. */
  executionOf(requestId: number): string | null;
  /** The device refuses to send it, or has nothing to send. */
  drop(requestId: number): void;
  /** A part arrived. Returns the events that follow once the report is complete. */
  part(
    part: { requestId: number; seqNo: number; tbc: boolean },
    entries: readonly ParameterEntry[],
    at: Date,
  ): UplinkEvent[];
  /** The executions of incomplete reports. */
  unfinished(): string[];
  /** Ends reports without a new part for too long. */
  tick(now: number): UplinkEvent[];
}

/**
 * The time without a new part after which a report counts as lost. Shorter than the time that the operations module
 * waits after each part, so that the result can name what is missing.
 */
const SILENCE_MS = 50_000;
/** A new part shows that the device is working on the report; a repeated part does not. Their number is limited. */
const MOST_PARTS = 10_000;
/** The maximum number of reports that are requested at a time; older ones are ended. */
const MOST_REPORTS = 4;
/**
 * More variables than any device has. For a longer report not everything is remembered, and no stored variable is
 * removed.
 */
const MOST_ENTRIES = 10_000;

export function reports(clock: Clock): Reports {
  const awaited = new Map<number, Awaited>();
  const answer = (report: Awaited, at: Date, outcome: Outcome): UplinkEvent => ({
    ...{ kind: 'answer', executionId: report.executionId, at },
    ...{ success: outcome.success, reason: outcome.reason, detail: outcome.detail },
    answer: { parts: report.parts.size, variables: report.entries.size },
  });
  return {
    requestReport(requestId, executionId, whole) {
      const fresh = { parts: new Set<number>(), last: null, entries: new Map(), lastSignAt: clock.now().getTime() };
      awaited.set(requestId, { executionId, whole, ...fresh });
      const [oldest] = awaited.keys();
      if (awaited.size > MOST_REPORTS && oldest !== undefined) awaited.delete(oldest);
    },
    executionOf: (requestId) => awaited.get(requestId)?.executionId ?? null,
    drop: (requestId) => void awaited.delete(requestId),
    part({ requestId, seqNo, tbc }, entries, at) {
      const report = awaited.get(requestId);
      if (!report) return [];
      const fresh = !report.parts.has(seqNo) && report.parts.size < MOST_PARTS;
      if (fresh) {
        report.lastSignAt = at.getTime();
        report.parts.add(seqNo);
      }
      if (!tbc) report.last = seqNo;
      if (report.entries.size <= MOST_ENTRIES) for (const entry of entries) report.entries.set(entry.key, entry);
      const { executionId } = report;
      if (report.last === null || missingOf(report).length > 0) {
        return fresh ? [{ kind: 'executionProgress', executionId, at, state: 'working', detail: null }] : [];
      }
      awaited.delete(requestId);
      const done = answer(report, at, { success: true, reason: 'accepted', detail: null, parameters: null });
      if (!report.whole || report.entries.size > MOST_ENTRIES) return [done];
      return [
        { kind: 'parameters', at, executionId, entries: [...report.entries.values()], unknownKeys: [], complete: true },
        done,
      ];
    },
    tick(now) {
      const events: UplinkEvent[] = [];
      for (const [requestId, report] of awaited) {
        if (now - report.lastSignAt < SILENCE_MS) continue;
        awaited.delete(requestId);
        const at = new Date(now);
        const detail = gapOf(report);
        // A device that marked a part as the last one has answered, even if incompletely. One that did not has timed
        // out.
        events.push(
          report.last === null
            ? { kind: 'executionProgress', executionId: report.executionId, at, state: 'noAnswer', detail }
            : answer(report, at, { success: false, reason: 'badAnswer', detail, parameters: null }),
        );
      }
      return events;
    },
    unfinished: () => [...awaited.values()].map(({ executionId }) => executionId),
  };
}

/** The number of parts that are listed in the text about a gap. */
const MOST_NAMED = 20;

/** The missing numbers up to the last part that arrived. */
function missingOf({ parts, last }: Awaited): number[] {
  const missing: number[] = [];
  const end = last ?? Math.max(-1, ...parts);
  for (let number = 0; number <= end && missing.length <= MOST_NAMED; number += 1) {
    if (!parts.has(number)) missing.push(number);
  }
  return missing;
}

/** The missing parts of a report, as text. */
function gapOf(report: Awaited): string {
  if (report.parts.size === 0) return 'no part of the report arrived';
  const missing = missingOf(report);
  const named = missing.slice(0, MOST_NAMED).join(', ') + (missing.length > MOST_NAMED ? ', …' : '');
  return [
    ...(missing.length > 0 ? [`missing parts of the report: ${named}`] : []),
    ...(report.last === null ? ['the last part of the report did not arrive'] : []),
  ].join('; ');
}
