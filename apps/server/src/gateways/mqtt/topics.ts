/** Types of messages that edge nodes send (Sparkplug 3.0 §4.1.3). */
export const EDGE_TYPES = ['NBIRTH', 'NDEATH', 'NDATA', 'DBIRTH', 'DDEATH', 'DDATA'] as const;
export type EdgeType = (typeof EDGE_TYPES)[number];

/** What small devices send as plain JSON, by the last level of the topic. */
export const JSON_LEAVES = ['status', 'telemetry', 'texts', 'alarm', 'parameters', 'answer'] as const;
export type JsonLeaf = (typeof JSON_LEAVES)[number];

/** A topic that devices publish in. */
export type UplinkTopic =
  | { family: 'sparkplug'; group: string; type: EdgeType; edge: string; device: string | null }
  | { family: 'json'; sn: string; leaf: JsonLeaf };

/** The first level of Sparkplug B topics, and that of the plain ones. */
export const SPARKPLUG = 'spBv1.0';
export const PLAIN = 'chargehand';

/** Reads a topic; null when no device publishes there. */
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

/** True when a topic is the own one of the device with this SN: nobody speaks for another. */
export function isOwnTopic(topic: UplinkTopic, sn: string): boolean {
  return (topic.family === 'json' ? topic.sn : topic.edge) === sn;
}

/**
 * True when a device may subscribe to a filter: to what is said to it, and to the state of this host. The group may be
 * left open, since the rest names the device.
 */
export function mayHear(filter: string, sn: string): boolean {
  const levels = filter.split('/');
  const [root, second = '', third = ''] = levels;
  if (root === PLAIN) {
    return second === sn && levels.length === 3 && ['command', 'error', '+', '#'].includes(third);
  }
  if (root === 'STATE' || (root === SPARKPLUG && second === 'STATE')) return true;
  if (root !== SPARKPLUG || (third !== 'NCMD' && third !== 'DCMD') || second === '#') return false;
  return levels[3] === sn && levels.length <= 5;
}

/** Where a device with plain topics is told what to do, and what was wrong with what it said. */
export function plainTopic(sn: string, leaf: 'command' | 'error'): string {
  return `${PLAIN}/${sn}/${leaf}`;
}

/** Where an edge node, or a device behind it, is told what to do. */
export function commandTopic(group: string, edge: string, device: string | null): string {
  const base = `${SPARKPLUG}/${group}`;
  return device === null ? `${base}/NCMD/${edge}` : `${base}/DCMD/${edge}/${device}`;
}

/** Where this host tells edge nodes that it is there (Sparkplug 3.0 §6.4.22). */
export function stateTopic(hostId: string): string {
  return `${SPARKPLUG}/STATE/${hostId}`;
}
