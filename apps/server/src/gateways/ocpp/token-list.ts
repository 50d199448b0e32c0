import type { ListEntry, TokenListCall } from '../../ports/devices/token-lists.ts';
import type { Plan } from './dialect.ts';
import { readListError, readListStatus, readListVersion } from './list-answer.ts';

/** How a version of OCPP writes local authorization lists. */
export interface ListDialect {
  /** the field with the version of a list */
  version: 'listVersion' | 'versionNumber';
  /**
   * AuthorizationData, and what identifies its token; null for a token that the version of OCPP cannot contain. Without
   * a status, the entry is removed.
   */
  entryOf(entry: ListEntry): { key: string; data: object } | null;
}

/** A list with more entries is shortened in the protocol log: the tokens of a site are not copied for each device. */
const LOGGED_ENTRIES = 20;

/** The messages for local authorization lists, and ClearCache (OCPP 1.6 §5.4, §5.10, §5.15; 2.0.1 C11, D01, D02). */
export function tokenListPlan(dialect: ListDialect, call: TokenListCall | undefined): Plan | null {
  if (call === undefined) return null;
  if (call.do === 'clearCache')
    return { action: 'ClearCache', payload: {}, read: readListStatus, readError: readListError };
  if (call.do === 'read')
    return {
      action: 'GetLocalListVersion',
      payload: {},
      read: (answer) => readListVersion(answer[dialect.version]),
      readError: readListError,
    };
  const head = { [dialect.version]: call.version, updateType: call.full ? 'Full' : 'Differential' };
  const entries = entriesOf(dialect, call.entries);
  const withEntries = (localAuthorizationList: object[]) =>
    localAuthorizationList.length > 0 ? { ...head, localAuthorizationList } : head;
  const leftOut = entries.length - LOGGED_ENTRIES;
  return {
    action: 'SendLocalList',
    payload: withEntries(entries),
    ...(leftOut > 0 && {
      logged: {
        payload: withEntries(entries.slice(0, LOGGED_ENTRIES)),
        note: `the message had ${entries.length} entries; the last ${leftOut} are not stored`,
      },
    }),
    read: readListStatus,
    readError: readListError,
  };
}

/** Only the last change of a token counts. */
function entriesOf(dialect: ListDialect, entries: readonly ListEntry[]): object[] {
  const latest = new Map<string, object>();
  for (const entry of entries) {
    const written = dialect.entryOf(entry);
    if (written) latest.set(written.key, written.data);
  }
  return [...latest.values()];
}
