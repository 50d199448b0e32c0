/** How often each gateway looks for what ended processes left. Milliseconds. */
export const LEFT_CHECK_MS = 5_000;
/** How long devices of an ended process have to return. Rounds of a gateway, a minute together. */
export const RETURN_ROUNDS = 12;

/**
 * Whether the devices that an ended process left, and that have not returned, are disconnected. Time is counted in rounds
 * of the gateway that asks: while it does not run, devices cannot return to it, and a clock may jump.
 * @param seen rounds since this gateway first saw that the process had ended
 * @param here rounds since this gateway started
 */
export function areLeftConnectionsOver(
  reason: 'left' | 'replaced' | 'expired',
  { seen, here }: { seen: number; here: number },
): boolean {
  // The lease of a silent process was over before its end was noticed.
  if (reason === 'expired') return here >= RETURN_ROUNDS;
  return seen >= RETURN_ROUNDS;
}
