import type { Readiness } from '@chargehand/contract';
import { READINESS_PATH } from '@chargehand/contract/readiness';
import { i18n } from '../i18n/i18n.ts';

/** A problem that prevents the server from storing data, or soon may, in the user's language. */
export interface StorageProblem {
  message: string;
  /** nothing can be stored until it is solved */
  blocks: boolean;
}

/**
 * Asks the server whether it can store data. Returns nothing when the server is unreachable, which is shown elsewhere.
 */
export async function readStorageProblems({ signal }: { signal?: AbortSignal } = {}): Promise<StorageProblem[]> {
  const response = await fetch(READINESS_PATH, {
    headers: { 'accept-language': i18n.language },
    ...(signal ? { signal } : {}),
  });
  // A proxy sends its own response when the server is down.
  const { code, message, data } = (await response.json()) as Readiness;
  if (code !== 0) return [{ message, blocks: true }];
  return data.status === 'ready' ? data.warnings.map((warning) => ({ message: warning.message, blocks: false })) : [];
}

/**
 * Whether the server can serve and store data. A response of a proxy counts as `unreachable`. `notReady`: the server
 * responds, but without its database, for example.
 */
export async function readServerState(): Promise<'ready' | 'notReady' | 'unreachable'> {
  try {
    const { code } = (await (await fetch(READINESS_PATH, { cache: 'no-store' })).json()) as Readiness;
    if (typeof code !== 'number') return 'unreachable';
    return code === 0 ? 'ready' : 'notReady';
  } catch {
    return 'unreachable';
  }
}

/** True when the server itself responds. A response of a proxy does not count. */
export async function isServerReachable(): Promise<boolean> {
  return (await readServerState()) !== 'unreachable';
}
