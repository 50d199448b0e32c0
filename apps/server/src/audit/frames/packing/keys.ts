/**
 * Numbers by which the index finds the batches that may contain a message ID or an action. Few numbers keep the index
 * small. About one batch in 2,000 has the number of another message ID, so the frames that are found are compared again.
 */
const MESSAGE_IDS = 2 ** 18;
const ACTIONS = 2 ** 30;

/** The number of a message ID. */
export function messageIdKey(messageId: string): number {
  return hash(messageId) % MESSAGE_IDS;
}

/** The number of an action. */
export function actionKey(action: string): number {
  return -1 - (hash(action) % ACTIONS);
}

/** The numbers of all message IDs and actions of frames, in ascending order. */
export function keysOf(frames: readonly { messageId: string | null; action: string | null }[]): number[] {
  const keys = new Set<number>();
  for (const { messageId, action } of frames) {
    if (messageId !== null) keys.add(messageIdKey(messageId));
    if (action !== null) keys.add(actionKey(action));
  }
  return [...keys].sort((one, other) => one - other);
}

/** FNV-1a over UTF-16 units, mixed at the end so that the low bits depend on all of them. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  }
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  return (value ^ (value >>> 13)) >>> 0;
}
