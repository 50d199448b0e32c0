import { CHANGE_TOPICS, type ChangeTopic, FLEET_TOPICS } from '@chargehand/contract';
import type { Bus } from '../platform/bus/bus.ts';
import type { ChangeFeed, MoveFeed } from '../ports/changes.ts';

/** Subject under which nodes tell each other which devices changed. */
export const CHANGES_SUBJECT = 'devices.changed';

/** What was gathered: devices with their topics as bits, and the places that some of them left. */
export type GatheredChanges = {
  changed: [deviceId: number, bits: number][];
  left: [deviceId: number, customerId: number, siteId: number][];
};

/** How long changes are gathered before they are told. Milliseconds. */
const GATHER_MS = 150;

/** Topics as bits: gathering must cost next to nothing, for ingest calls it with every message. */
const BITS = Object.fromEntries(CHANGE_TOPICS.map((topic, index) => [topic, 1 << index])) as Record<
  ChangeTopic,
  number
>;

/** The bits of some topics together. */
export function bitsOf(topics: readonly ChangeTopic[]): number {
  let bits = 0;
  for (const topic of topics) bits |= BITS[topic];
  return bits;
}

/** The topics that some bits stand for. */
export function topicsOf(bits: number): ChangeTopic[] {
  return CHANGE_TOPICS.filter((topic) => (bits & BITS[topic]) !== 0);
}

/** Gathers what changed and publishes it as one message each quarter of a second; nothing while nothing changes. */
export function changeFeed(bus: Bus): MoveFeed & { stop(): void } {
  let dirty = new Map<number, number>();
  let left: GatheredChanges['left'] = [];
  let timer: NodeJS.Timeout | undefined;
  const flush = () => {
    timer = undefined;
    const gathered: GatheredChanges = { changed: [...dirty], left };
    dirty = new Map();
    left = [];
    bus.publish(CHANGES_SUBJECT, gathered);
  };
  const changed: ChangeFeed['changed'] = (deviceId, ...topics) => {
    dirty.set(deviceId, (dirty.get(deviceId) ?? 0) | bitsOf(topics));
    timer ??= setTimeout(flush, GATHER_MS);
  };
  return {
    changed,
    left({ deviceId, customerId, siteId }) {
      left.push([deviceId, customerId, siteId]);
      changed(deviceId, ...FLEET_TOPICS);
    },
    stop() {
      clearTimeout(timer);
      timer = undefined;
      dirty.clear();
      left = [];
    },
  };
}
