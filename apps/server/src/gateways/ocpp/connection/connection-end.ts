import type { DisconnectReason } from '@chargehand/domain';

/**
 * Why a connection ended that we did not close: the close code, the reason the device gave, and the error of the
 * socket.
 */
export function connectionEnd(
  code: number,
  words: string,
  problem: string | null,
): { reason: DisconnectReason; detail: string } {
  if (problem !== null)
    return { reason: 'loggedOut', detail: `the device violated the WebSocket protocol: ${problem}` };
  // RFC 6455 §7.1.5: no close frame was received.
  if (code === 1006) return { reason: 'networkTimeout', detail: 'the connection was lost' };
  return {
    reason: 'loggedOut',
    detail: `the device closed the connection (${code}${words === '' ? '' : ` ${words}`})`,
  };
}
