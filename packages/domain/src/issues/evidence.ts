/**
 * The limits of the situation that a new issue freezes. What is beyond them is counted and not kept, so that an issue
 * of a chatty device is stored as quickly as any other.
 */
export const EVIDENCE_LIMITS = {
  alarms: 100,
  readings: 300,
  parameters: 300,
  commands: 100,
  frames: 2_000,
  /** bytes of the payloads of all frames together */
  frameBytes: 512 * 1024,
  /** bytes of the payload of one frame; a longer one is cut off */
  payloadBytes: 16 * 1024,
} as const;

/** How far back the protocol log and the commands of an issue reach. */
export const EVIDENCE_FRAMES_MINUTES = 60;
export const EVIDENCE_COMMANDS_HOURS = 24;

/**
 * The newest of some frames, which are ordered from new to old, that fit into the limits together, and whether older
 * ones were left out.
 */
export function framesWithin<F extends { size: number }>(
  frames: readonly F[],
  limits: { frames: number; frameBytes: number } = EVIDENCE_LIMITS,
): { kept: F[]; complete: boolean } {
  let left = limits.frameBytes;
  const kept: F[] = [];
  for (const frame of frames) {
    if (kept.length === limits.frames || frame.size > left) return { kept, complete: false };
    left -= frame.size;
    kept.push(frame);
  }
  return { kept, complete: true };
}
