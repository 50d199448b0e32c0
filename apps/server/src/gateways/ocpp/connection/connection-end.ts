import type { DisconnectReason } from '@chargehand/domain';

/** Why a line ended that we did not end: by its close code, the words of the device, and what the socket found wrong. */
export function lineEnd(
  code: number,
  words: string,
  problem: string | null,
): { reason: DisconnectReason; detail: string } {
  if (problem !== null) return { reason: 'loggedOut', detail: `the line broke the WebSocket protocol: ${problem}` };
  // RFC 6455 §7.1.5: no close frame came.
  if (code === 1006) return { reason: 'networkTimeout', detail: 'the connection was lost' };
  return { reason: 'loggedOut', detail: `the device closed the line (${code}${words === '' ? '' : ` ${words}`})` };
}
