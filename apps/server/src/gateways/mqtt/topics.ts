/** Types of messages that edge nodes send (Sparkplug 3.0 §4.1.3). */
export const EDGE_TYPES = ['NBIRTH', 'NDEATH', 'NDATA', 'DBIRTH', 'DDEATH', 'DDATA'] as const;
export type EdgeType = (typeof EDGE_TYPES)[number];

/** The plain JSON messages of small devices, by the last level of the topic. */
export const JSON_LEAVES = ['status', 'telemetry', 'texts', 'alarm', 'parameters', 'answer'] as const;
export type JsonLeaf = (typeof JSON_LEAVES)[number];

/** A topic that devices publish to. */
export type UplinkTopic =
  | { family: 'sparkplug'; group: string; type: EdgeType; edge: string; device: string | null }
  | { family: 'json'; sn: string; leaf: JsonLeaf };

/** The first level of Sparkplug B topics and of the plain topics. */
export const SPARKPLUG = 'spBv1.0';
export const PLAIN = 'chargehand';

/** Reads a topic; null when no device publishes to it. */
export function readTopic(topic: string): UplinkTopic | null {
  const levels = topic.split('/');
  const [root, second = '', third = '', fourth = '', fifth] = levels;
  if (root === PLAIN && levels.length === 3) {
    const leaf = JSON_LEAVES.find((one) => one === third);
    return leaf && second !== '' ? { family: 'json', sn: second, leaf } : null;
  }
  const type = EDGE_TYPES.find((one) => one === third);
  if (root !== SPARKPLUG || !type || second === '' || fourth === '') return null;
  const ofDevice = type.startsWith('D');
  if (levels.length !== (ofDevice ? 5 : 4) || fifth === '') return null;
  return { family: 'sparkplug', group: second, type, edge: fourth, device: fifth ?? null };
}

/** True when a topic belongs to the device with this SN. A device may not publish for another one. */
export function isOwnTopic(topic: UplinkTopic, sn: string): boolean {
  return (topic.family === 'json' ? topic.sn : topic.edge) === sn;
}

/**
 * True when a device may subscribe to a filter: to its own messages and to the state of this host. The group may be a
 * wildcard, because the rest names the device.
 */
export function maySubscribe(filter: string, sn: string): boolean {
  const levels = filter.split('/');
  const [root, second = '', third = ''] = levels;
  if (root === PLAIN) {
    return second === sn && levels.length === 3 && ['command', 'error', '+', '#'].includes(third);
  }
  if (root === 'STATE' || (root === SPARKPLUG && second === 'STATE')) return true;
  if (root !== SPARKPLUG || (third !== 'NCMD' && third !== 'DCMD') || second === '#') return false;
  return levels[3] === sn && levels.length <= 5;
}

/** The topics for commands to a plain device and for errors in its messages. */
export function plainTopic(sn: string, leaf: 'command' | 'error'): string {
  return `${PLAIN}/${sn}/${leaf}`;
}

/** The topic for commands to an edge node or a device behind it. */
export function commandTopic(group: string, edge: string, device: string | null): string {
  const base = `${SPARKPLUG}/${group}`;
  return device === null ? `${base}/NCMD/${edge}` : `${base}/DCMD/${edge}/${device}`;
}

/** The topic where this host announces to edge nodes that it is online (Sparkplug 3.0 §6.4.22). */
export function stateTopic(hostId: string): string {
  return `${SPARKPLUG}/STATE/${hostId}`;
}
