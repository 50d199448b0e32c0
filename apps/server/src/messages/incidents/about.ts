import { isFaultType, type MessageSubject, type MessageType, namingCause, pagesOfMessage } from '@chargehand/domain';
import type { Current } from './current.ts';
import type { IncidentRecord } from './incidents.store.ts';
import type { About } from './receivers.ts';

/** The type whose setting decides about the recovery. */
export function recoveryTypeOf({ type }: IncidentRecord): MessageType {
  return isFaultType(type) ? 'recovery' : type;
}

/** The issue that all incidents of a message are about; null when there is none. */
export function issueOf(incidents: readonly IncidentRecord[]): number | null {
  const [first] = incidents;
  if (first?.subjectKind !== 'issue') return null;
  const same = incidents.every((one) => one.subjectKind === 'issue' && one.subjectId === first.subjectId);
  return same ? Number(first.subjectId) : null;
}

/** The page about the only incident or issue of a message; the inbox for several. */
export function pathOf(incidents: readonly IncidentRecord[]): string {
  const [incident] = incidents;
  if (!incident || (incidents.length > 1 && issueOf(incidents) === null)) return '/manage/message/list';
  const { type, subjectKind, subjectId, siteId, deviceId, devices, members } = incident;
  const subject = { kind: subjectKind as MessageSubject, id: subjectId };
  const deviceIds = devices.length > 0 || deviceId === null ? devices : [deviceId];
  const pages = pagesOfMessage({ type, subject, siteId, deviceIds, deviceCount: deviceIds.length, events: members });
  return pages[0]?.path ?? '/manage/message/list';
}

type Titled = Pick<IncidentRecord, 'type' | 'types' | 'causes'>;

/**
 * An incident as someone reads about it who is notified of one of its types. While alarms are open, the title, the level
 * and the object are those of the open cause that `namingCause` chooses among those of the type. Otherwise they are those
 * of the type when it was announced; without a type, or for a recovery, of the most urgent one.
 */
export function shownAs<I extends Titled>(incident: Current<I>, notified: MessageType | undefined): Current<I> {
  const type =
    notified !== undefined && notified !== 'recovery' && notified in incident.types ? notified : incident.type;
  const cause = incident.alarms.size > 0 ? namingCause(incident.causes, type) : undefined;
  const alarm = cause && incident.alarms.get(cause.key);
  return cause && alarm ? { ...incident, type: cause.type, ...alarm } : { ...incident, type, ...incident.types[type] };
}

/** When the alarm of a notice was raised, in milliseconds; null: it is about no alarm. */
export function sinceOf({ raisedAt }: Readonly<Record<string, unknown>>): number | null {
  const at = typeof raisedAt === 'string' ? Date.parse(raisedAt) : Number.NaN;
  return Number.isNaN(at) ? null : at;
}

/** What decides about the receivers of an incident. */
export function aboutOf(incident: IncidentRecord): About {
  const { type, customerId, siteId, devices, actorId, userIds, escalatedAt } = incident;
  return { type, customerId, siteId, devices, actorId, userIds, escalated: escalatedAt !== null };
}
