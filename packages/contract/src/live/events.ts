import type { AlarmSummary } from '../alarms.ts';
import type { AnswerOf } from '../endpoint.ts';
import type { DeviceRow, fleetEndpoints } from '../fleet/fleet.ts';
import type { placesEndpoints } from '../fleet/places.ts';
import type { telemetryEndpoints } from '../telemetry/telemetry.ts';

/** Where something stands: what decides who may see it. Without a site: only who sees the whole customer. */
export interface EventPlace {
  customerId: number;
  siteId: number | null;
}

/** Who hears an event, by the kind of audience that its topic has. */
export interface EventAudiences {
  /** everybody who sees the place of the device with the id of the event; a place is given where the device has left it */
  device: EventPlace | undefined;
  /** everybody who sees this place */
  place: EventPlace;
  /** every session of one user */
  user: { userId: number };
  /** one session */
  session: { sessionId: string };
  /** everybody who may call one of the readers of the topic */
  everyone: undefined;
}
export type EventAudience = keyof EventAudiences;

interface OfDevice<Payload = null> {
  /** id of the device */
  id: number;
  payload: Payload;
  audience: 'device';
}

/** What a listener sees of everything in scope, counted for each listener. */
interface Figures<Answer> {
  id: number;
  payload: Answer | null;
  audience: 'everyone';
}

/** What changes often of a device in a list. */
export type DeviceStanding = Pick<
  DeviceRow,
  'status' | 'statusSince' | 'connected' | 'lastSeenAt' | 'activeAlarms' | 'worstAlarmLevel'
>;

/**
 * Every event that a console can hear: what its id stands for, the change it carries (`null`: none, what shows it is
 * fetched again), and who hears it. A new topic needs a line here, one in `EVENTS`, and one where a feature of the console
 * registers the queries that show it.
 */
export interface EventMap {
  /** its status, its connection, its connectors, its sessions */
  'device.state': OfDevice<DeviceStanding | null>;
  'device.readings': OfDevice;
  'device.alarms': OfDevice<DeviceStanding | null>;
  /** the list of what happened to it */
  'device.events': OfDevice;
  /** its protocol log */
  'device.frames': OfDevice;
  'device.executions': OfDevice;
  'device.parameters': OfDevice;
  'device.transfers': OfDevice;
  /** its base data, place, pictures, maintenance and certificates */
  'device.details': OfDevice;
  /** what `readRuntime` answers */
  'device.runtime': OfDevice<AnswerOf<typeof telemetryEndpoints.readRuntime> | null>;
  /** what `countDevices` answers without filters; the id is 0 */
  'fleet.counters': Figures<AnswerOf<typeof fleetEndpoints.countDevices>>;
  /** what `readSiteStates` answers; the id is 0 */
  'fleet.siteStates': Figures<AnswerOf<typeof placesEndpoints.readSiteStates>>;
  /** what `summarizeAlarms` answers without filters; the id is 0 */
  'fleet.alarms': Figures<AlarmSummary>;
  /** sessions of a user were opened or ended; the id is the user */
  'user.sessions': { id: number; payload: null; audience: 'user' };
  /** sessions of users of a customer were opened or ended; the id is the customer */
  'customer.sessions': { id: number; payload: null; audience: 'place' };
}
export type EventTopic = keyof EventMap;
/** Topics of which the id is a device. */
export type DeviceTopic = { [T in EventTopic]: EventMap[T]['audience'] extends 'device' ? T : never }[EventTopic];

export interface EventDeclaration<Audience extends EventAudience = EventAudience> {
  audience: Audience;
  /** only who may call one of these endpoints hears the topic; everybody without it */
  readers?: readonly string[];
  /** only who watches this very device hears the topic: there is too much of it to tell everybody */
  watched?: boolean;
  /**
   * The topic is not published: the server reads its payload for each listener when that has heard one of these topics,
   * so it holds what this listener may see. At most about once a second.
   */
  from?: readonly EventTopic[];
}

const DEVICE_READERS = ['listDevices', 'readDevice', 'listSites', 'listAlarms'] as const;
const ofDevice = { audience: 'device', readers: DEVICE_READERS } as const;
const ofWatchedDevice = { ...ofDevice, watched: true } as const;

/** Who hears each topic. */
export const EVENTS: { readonly [T in EventTopic]: EventDeclaration<EventMap[T]['audience']> } = {
  'device.state': ofDevice,
  'device.readings': ofWatchedDevice,
  'device.alarms': ofDevice,
  'device.events': ofDevice,
  'device.frames': ofWatchedDevice,
  'device.executions': ofDevice,
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
  'user.sessions': { audience: 'user' },
  'customer.sessions': { audience: 'place', readers: ['listOnline'] },
};
export const EVENT_TOPICS = Object.keys(EVENTS) as EventTopic[];

/** Events as the stream sends them: by topic, each with its id and the change it carries. */
export type EventsMessage = { [T in EventTopic]?: [id: number, payload: EventMap[T]['payload']][] };
