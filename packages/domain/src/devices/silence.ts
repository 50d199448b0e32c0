/** The limits of the silence timeout of a device model. Seconds. */
export const SILENCE_SECONDS = { least: 30, most: 86_400, default: 600 } as const;

/**
 * True if a device behind a broker counts as disconnected because it sent nothing for longer than its model allows
 * (`limitSeconds`, null: the default). Times in milliseconds since the epoch.
 */
export function isSilent(lastReceivedAt: number, now: number, limitSeconds: number | null): boolean {
  return now - lastReceivedAt > (limitSeconds ?? SILENCE_SECONDS.default) * 1_000;
}
