/** Frames of a batch. More compress little better, and all of them are read for one of them. */
export const BATCH_FRAMES = 256;
/** Characters of a batch, so that packing it takes few milliseconds of the main thread. */
const BATCH_CHARACTERS = 200_000;
/** A batch below this share of its limits takes more frames. */
const SMALL = 0.75;
/** Frames that are older are packed even if they do not fill a batch. */
export const OPEN_MS = 3_600_000;
const DAY_MS = 86_400_000;

/** How many of the unpacked frames of a device to pack now: full batches, or all if the oldest has waited long enough. */
export function ripe(count: number, oldest: Date, now: Date): number {
  if (now.getTime() - oldest.getTime() >= OPEN_MS) return count;
  return count - (count % BATCH_FRAMES);
}

/**
 * Divides frames into batches, in their order. A batch is within one UTC day, because the days are dropped one by one.
 */
export function divide<F extends { at: Date; body: string | null }>(frames: readonly F[]): F[][] {
  const batches: F[][] = [];
  let batch: F[] = [];
  let characters = 0;
  for (const frame of frames) {
    const length = frame.body?.length ?? 0;
    const first = batch[0];
    const isFull =
      first !== undefined &&
      (batch.length === BATCH_FRAMES || characters + length > BATCH_CHARACTERS || !isSameDay(first, frame));
    if (first === undefined || isFull) {
      batch = [];
      batches.push(batch);
      characters = 0;
    }
    batch.push(frame);
    characters += length;
  }
  return batches;
}

function dayOf({ at }: { at: Date }): number {
  return Math.floor(at.getTime() / DAY_MS);
}

/** True if a batch takes more frames when the next ones of its day are packed. */
export function takesMore(batch: readonly { body: string | null }[]): boolean {
  const characters = batch.reduce((sum, { body }) => sum + (body?.length ?? 0), 0);
  return batch.length < SMALL * BATCH_FRAMES && characters < SMALL * BATCH_CHARACTERS;
}

export function isSameDay(one: { at: Date }, other: { at: Date }): boolean {
  return dayOf(one) === dayOf(other);
}
