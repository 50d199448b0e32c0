import type { DocumentAccess } from '@chargehand/domain';
import type { AlarmRow, AlarmSummary, DeviceEventRow } from '../alarms.ts';
import type { AnswerOf } from '../endpoint.ts';
import type { DeviceRow, fleetEndpoints } from '../fleet/fleet.ts';
import type { placesEndpoints } from '../fleet/places.ts';
import type { IssueRow } from '../issues/schemas.ts';
import type { operationsEndpoints } from '../operations/operations.ts';
import type { telemetryEndpoints } from '../telemetry/telemetry.ts';

/** The place of a row, which decides who may see it. Without a site, only users who see the whole customer. */
export interface EventPlace {
  customerId: number;
  siteId: number | null;
}

/** The recipients of an event, by the kind of audience of its topic. */
export interface EventAudiences {
  /**
   * everybody who sees the place of the device whose id the event has; the place is given when the device has left it
   */
  device: EventPlace | undefined;
  /** everybody who sees this place */
  place: EventPlace;
  /** all sessions of one user */
  user: { userId: number };
  /** the owner of a share, and everybody who oversees the shares of its customer; null: those of the platform */
  share: { ownerId: number; customerId: number | null };
  /** one session */
  session: { sessionId: string };
  /** everybody whose levels let them read the document before or after its change; `any`: no document is named */
  document: { documents: readonly DocumentAccess[] | 'any' };
  /** everybody who may call one of the endpoints in `readers` of the topic */
  everyone: undefined;
}
export type EventAudience = keyof EventAudiences;

interface OfDevice<Payload = null> {
  /** id of the device */
  id: number;
  payload: Payload;
  audience: 'device';
}

/** A summary of everything in a subscriber's scope, computed for each subscriber. */
interface Figures<Answer> {
  id: number;
  payload: Answer | null;
  audience: 'everyone';
}

/** The fields of a device in a list that change often. */
export type DeviceSummary = Pick<
  DeviceRow,
  'status' | 'statusSince' | 'connected' | 'lastSeenAt' | 'activeAlarms' | 'worstAlarmLevel'
>;

/** The values of an issue that its event carries. */
export type IssueChange = Pick<IssueRow, 'status' | 'priority' | 'title' | 'labels' | 'updatedAt'>;

/**
 * Every event that a console can receive: what its id identifies, the change it carries (`null`: no data; the console
 * fetches its queries again), and who receives it. To add a topic, add a line here and in `EVENTS`, and register the
 * queries that show it in a feature of the console.
 */
export interface EventMap {
  /** its status, connection, connectors and charging sessions */
  'device.state': OfDevice<DeviceSummary | null>;
  'device.readings': OfDevice;
  'device.alarms': OfDevice<DeviceSummary | null>;
  /** all its open alarms; sent with every `device.alarms` */
  'device.openAlarms': OfDevice<AlarmRow[] | null>;
  /** its list of events */
  'device.events': OfDevice<DeviceEventRow[] | null>;
  /** its protocol log */
  'device.frames': OfDevice;
  /** the protocol log of any device that the subscriber may see; the id is 0 */
  'fleet.frames': { id: number; payload: null; audience: 'everyone' };
  'device.executions': OfDevice;
  /** the first page of the response of `listExecutions`, `EXECUTIONS_SENT` rows */
  'device.newestExecutions': OfDevice<AnswerOf<typeof operationsEndpoints.listExecutions> | null>;
  'device.parameters': OfDevice;
  'device.transfers': OfDevice;
  /** its basic data, place, pictures, maintenance and certificates */
  'device.details': OfDevice;
  /** the response of `readRuntime` */
  'device.runtime': OfDevice<AnswerOf<typeof telemetryEndpoints.readRuntime> | null>;
  /** the response of `countDevices` without filters; the id is 0 */
  'fleet.counters': Figures<AnswerOf<typeof fleetEndpoints.countDevices>>;
  /** the response of `readSiteStates`; the id is 0 */
  'fleet.siteStates': Figures<AnswerOf<typeof placesEndpoints.readSiteStates>>;
  /** the response of `summarizeAlarms` without filters; the id is 0 */
  'fleet.alarms': Figures<AlarmSummary>;
  /** a user has new, changed or marked messages; the id is the user */
  'message.changed': { id: number; payload: null; audience: 'user' };
  /** sessions of a user were started or ended; the id is the user */
  'user.sessions': { id: number; payload: null; audience: 'user' };
  /** files or folders of a customer have changed; the id is the customer */
  'customer.attachments': { id: number; payload: null; audience: 'place' };
  /** files or folders of the platform have changed; the id is 0 */
  'platform.attachments': { id: number; payload: null; audience: 'everyone' };
  /** sessions of users of a customer were started or ended; the id is the customer */
  'customer.sessions': { id: number; payload: null; audience: 'place' };
  /** a share was created, changed, used or ended; the id is the share */
  'share.changed': { id: number; payload: null; audience: 'share' };
  /** a document, one of its texts or the categories changed; the id is the document, 0 for categories */
  'documents.changed': { id: number; payload: null; audience: 'document' };
  /** an issue was created or changed; the id is the issue */
  'issue.changed': { id: number; payload: IssueChange | null; audience: 'place' };
  /**
   * comments or events were added to the timeline of an issue, or a comment was edited, by users or by devices; sent for
   * the issue that it was merged into, too. It carries no text; the id is the issue
   */
  'issue.entries': { id: number; payload: null; audience: 'place' };
  /** errors happened, or the state of one was changed; the id is 0 */
  'errors.changed': { id: number; payload: null; audience: 'everyone' };
  /** the installation was measured, or a job was run on request; the id is 0, the place is the vendor */
  'system.changed': { id: number; payload: null; audience: 'place' };
  /** the branding or the length of passwords changed, which any page may show; the id is 0 */
  'branding.changed': { id: number; payload: null; audience: 'everyone' };
  /** a name of a dictionary changed, which any page may show; the id is 0 */
  'dictionary.changed': { id: number; payload: null; audience: 'everyone' };
  /** a link was requested, approved, opened or ended; the id is the link */
  'link.changed': { id: number; payload: null; audience: 'place' };
  /** requests, connections or file transfers of a link began or ended; the id is the link */
  'link.activity': { id: number; payload: null; audience: 'place' };
}
export type EventTopic = keyof EventMap;
/** Topics whose id is a device. */
export type DeviceTopic = { [T in EventTopic]: EventMap[T]['audience'] extends 'device' ? T : never }[EventTopic];

export interface EventDeclaration<Audience extends EventAudience = EventAudience> {
  audience: Audience;
  /** only users who may call one of these endpoints, also by `who` of its policy, receive the topic; without it, everybody */
  readers?: readonly string[];
  /** only sent to subscribers that watch this device, because the topic is too large to send to everybody */
  watched?: boolean;
  /**
   * The topic is not published. Subscribers that ask for it receive it once, without data, with all events of this topic
   * that they may see, also of devices that they do not watch.
   */
  gathers?: EventTopic;
  /** the topic is not published: it is sent, with a separate payload, whenever this one is */
  sentWith?: EventTopic;
  /**
   * The topic is not published. After an event of one of these topics, the server reads its payload separately for each
   * subscriber, so that it contains only what the subscriber may see. At most about once a second.
   */
  from?: readonly EventTopic[];
}

const DEVICE_READERS = ['listDevices', 'readDevice', 'listSites', 'listAlarms'] as const;
const ofDevice = { audience: 'device', readers: DEVICE_READERS } as const;
const ofWatchedDevice = { ...ofDevice, watched: true } as const;

/** The audience of each topic. */
export const EVENTS: { readonly [T in EventTopic]: EventDeclaration<EventMap[T]['audience']> } = {
  'device.state': ofDevice,
  'device.readings': ofWatchedDevice,
  'device.alarms': ofDevice,
  'device.openAlarms': { audience: 'device', readers: ['listAlarms'], sentWith: 'device.alarms' },
  'device.events': { audience: 'device', readers: ['listDeviceEvents'] },
  'device.frames': ofWatchedDevice,
  'fleet.frames': { audience: 'everyone', readers: ['listFleetFrames'], gathers: 'device.frames' },
  'device.executions': ofDevice,
  'device.newestExecutions': {
    audience: 'device',
    readers: ['listExecutions'],
    watched: true,
    from: ['device.executions', 'device.transfers'],
  },
  'device.parameters': ofWatchedDevice,
  'device.transfers': ofDevice,
  'device.details': ofDevice,
  'device.runtime': {
    audience: 'device',
    readers: ['readRuntime'],
    watched: true,
    from: ['device.state', 'device.readings', 'device.parameters'],
  },
  'fleet.counters': { audience: 'everyone', readers: ['countDevices'], from: ['device.state', 'device.details'] },
  'fleet.siteStates': {
    audience: 'everyone',
    readers: ['readSiteStates'],
    from: ['device.state', 'device.alarms', 'device.details'],
  },
  'fleet.alarms': { audience: 'everyone', readers: ['summarizeAlarms'], from: ['device.alarms', 'device.details'] },
  'message.changed': { audience: 'user', readers: ['countInbox'] },
  'user.sessions': { audience: 'user' },
  'customer.attachments': { audience: 'place', readers: ['listAttachments'] },
  'platform.attachments': { audience: 'everyone', readers: ['listAttachments'] },
  'customer.sessions': { audience: 'place', readers: ['listOnline'] },
  'share.changed': { audience: 'share', readers: ['listShares'] },
  'issue.changed': { audience: 'place', readers: ['listIssues', 'readIssue'] },
  'issue.entries': { audience: 'place', readers: ['listIssueEntries'] },
  'link.changed': { audience: 'place', readers: ['listLinks'] },
  'errors.changed': { audience: 'everyone', readers: ['listErrors'] },
  'system.changed': { audience: 'place', readers: ['readSystem'] },
  'branding.changed': { audience: 'everyone' },
  'dictionary.changed': { audience: 'everyone' },
  'link.activity': { audience: 'place', readers: ['listLinkActivity'] },
  'documents.changed': {
    audience: 'document',
    readers: ['readDocument', 'listDocuments', 'readDocumentHome', 'searchDocuments'],
  },
};
export const EVENT_TOPICS = Object.keys(EVENTS) as EventTopic[];

/** Events in the form in which the stream sends them: by topic, each with its id and its change. */
export type EventsMessage = { [T in EventTopic]?: [id: number, payload: EventMap[T]['payload']][] };
