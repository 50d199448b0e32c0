import type { AlarmRow, DeviceEventRow } from '@chargehand/contract';
import { ALARM_LEVELS } from '@chargehand/domain';
import type { InfiniteData } from '@tanstack/react-query';
import type { Answer, InputOf } from '../../shared/api/client.ts';

export type Filters = Partial<NonNullable<InputOf<'listAlarms'>['query']>>;
type Stretch = Answer<'listAlarms'>;
/** The cached data of a list: one response, or several responses of a list that loads more at its end. */
type Cached = Stretch | InfiniteData<Stretch>;

/**
 * Merges the open alarms of some devices into a list of open alarms. Null if an alarm does not show whether or where it
 * belongs in the list, or if more of the list was loaded.
 */
export function withOpenAlarms(
  cached: Cached,
  changes: ReadonlyMap<number, readonly AlarmRow[]>,
  { sort = '-raisedAt', limit, ...filters }: Filters,
): Cached | null {
  const { state, customerId, from, to, after, ...others } = filters;
  if (state !== 'open' || (customerId ?? from ?? to ?? after) !== undefined) return null;
  if (sort !== '-raisedAt' && sort !== '-level') return null;
  const stretch = 'pages' in cached ? cached.pages[0] : cached;
  if (!stretch || ('pages' in cached && cached.pages.length > 1)) return null;

  const worstFirst = sort === '-level';
  const last = stretch.next === null ? undefined : stretch.items.at(-1);
  const kept = stretch.items.filter(({ deviceId }) => !changes.has(deviceId));
  const added = [...changes.values()]
    .flat()
    .filter((alarm) => belongs(alarm, others) && (!last || compare(alarm, last, worstFirst) <= 0));
  const items = [...kept, ...added].sort((a, b) => compare(a, b, worstFirst)).slice(0, limit);
  const patched = { ...stretch, items };
  return 'pages' in cached ? { ...cached, pages: [patched] } : patched;
}

function belongs(alarm: AlarmRow, { acknowledged, ...equal }: Filters): boolean {
  if (acknowledged !== undefined && acknowledged !== (alarm.acknowledgedAt !== null)) return false;
  return Object.entries(equal).every(
    ([field, value]) => value === undefined || alarm[field as keyof AlarmRow] === value,
  );
}

/** The order of the server: by level if requested, then by time, newest first. */
function compare(a: AlarmRow, b: AlarmRow, worstFirst: boolean): number {
  const level = ALARM_LEVELS.indexOf(b.level) - ALARM_LEVELS.indexOf(a.level);
  if (worstFirst && level !== 0) return level;
  return a.raisedAt === b.raisedAt ? b.id - a.id : b.raisedAt.localeCompare(a.raisedAt);
}

type EventFilters = Partial<NonNullable<InputOf<'listDeviceEvents'>['query']>>;
type Events = Answer<'listDeviceEvents'>;

/**
 * Adds the newest events of some devices to a list of events, or what has become known of them. Null if an event does not
 * show whether it belongs in the list, or if more of the list was loaded.
 */
export function withNewEvents(
  cached: Events | InfiniteData<Events>,
  changes: ReadonlyMap<number, readonly DeviceEventRow[]>,
  { limit, customerId, from, to, after, ...equal }: EventFilters,
): Events | InfiniteData<Events> | null {
  if ((customerId ?? from ?? to ?? after) !== undefined) return null;
  const list = 'pages' in cached ? cached.pages[0] : cached;
  if (!list || ('pages' in cached && cached.pages.length > 1)) return null;
  const oldest = list.next === null ? undefined : list.items.at(-1);
  const wanted = Object.entries(equal).filter(([, value]) => value !== undefined);
  const found = [...changes.values()]
    .flat()
    .filter((event) => wanted.every(([field, value]) => event[field as keyof DeviceEventRow] === value))
    .filter((event) => !oldest || newestFirst(event, oldest) <= 0);
  const ids = new Set(found.map(({ id }) => id));
  const items = [...found, ...list.items.filter(({ id }) => !ids.has(id))].sort(newestFirst);
  // A list that can be continued ends where it did.
  if ('pages' in cached) return { ...cached, pages: [{ ...list, items }] };
  return { ...list, items: items.slice(0, limit) };
}

function newestFirst(a: DeviceEventRow, b: DeviceEventRow): number {
  return a.at === b.at ? b.id - a.id : b.at.localeCompare(a.at);
}
