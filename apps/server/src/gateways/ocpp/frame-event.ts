import type { FrameEvent } from '../../ports/uplink.ts';

/** An entry of the protocol log. Fields that are not given are null, and the size is that of the body. */
export function frameEvent(
  connectionId: string | null,
  type: FrameEvent['type'],
  at: Date,
  more: Partial<FrameEvent>,
): FrameEvent {
  const { action = null, messageId = null, body = null, note = null } = more;
  const bytes = more.bytes ?? (body === null ? 0 : Buffer.byteLength(body));
  return { kind: 'frame', type, connectionId, at, action, messageId, body, bytes, note };
}
