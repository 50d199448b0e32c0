import { badAnswer, type Outcome, readCallError } from '../dialect.ts';

/** The answer to SendLocalList or ClearCache: its status is the detail of a refusal. */
export function readListStatus({ status }: Record<string, unknown>): Outcome {
  if (status === 'Accepted') return { success: true, reason: 'accepted', detail: null, parameters: null };
  if (typeof status !== 'string') return badAnswer('no status');
  return { success: false, reason: 'rejected', detail: status.slice(0, 50), parameters: null };
}

/** The answer to GetLocalListVersion: the version is the detail. */
export function readListVersion(version: unknown): Outcome {
  return Number.isInteger(version)
    ? { success: true, reason: 'accepted', detail: String(version), parameters: null }
    : badAnswer('no version');
}

/** A CALLERROR of a device without local lists. */
export function readListError(code: string, description: string): Outcome | null {
  return code === 'NotImplemented' || code === 'NotSupported'
    ? { ...readCallError(code, description), detail: 'NotSupported' }
    : null;
}
