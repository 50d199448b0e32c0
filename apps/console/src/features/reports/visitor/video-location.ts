/**
 * Boxes of MP4 and QuickTime files that describe a video and are not needed to play it. Cameras write the place into
 * them: `©xyz`, `loci`, `com.apple.quicktime.location.ISO6709`, or XMP.
 */
const DESCRIPTIONS: ReadonlySet<string> = new Set(['udta', 'meta', 'uuid']);
/** Boxes that contain such boxes, or what a track consists of. */
const CONTAINERS: ReadonlySet<string> = new Set(['moov', 'trak', 'mdia', 'minf', 'stbl', 'moof', 'traf']);
/** Kinds of tracks without descriptions: pictures, sound and time codes. */
const PLAIN_TRACKS: ReadonlySet<string> = new Set(['vide', 'soun', 'tmcd']);
/** A long video in fragments has a few thousand boxes. */
const MOST_BOXES = 20_000;
/** The most that is read of one box, and the most that is overwritten in a file. Bytes. */
const MOST_READ = 64 * 1024;
const MOST_BLANKED = 16 * 1024 * 1024;

interface Box {
  type: string;
  start: number;
  /** where its content begins */
  body: number;
  end: number;
}

/** What decides whether the samples of a track may contain places. */
interface Track {
  kind: string;
  samples: Box | null;
}

/** The file has another format, is damaged, or may contain places elsewhere. */
class NotUnderstood extends Error {}

/**
 * The same video without the metadata that may contain where it was taken. The metadata is overwritten in place, so that
 * pictures and sound stay where the file says they are. Only headers are read, and nothing is encoded again.
 * @returns null for a file that is not understood
 */
export async function withoutLocation(video: Blob): Promise<Blob | null> {
  try {
    const blanked: Box[] = [];
    const budget = { boxes: MOST_BOXES };
    const found = await walk(video, { type: '', start: 0, body: 0, end: video.size }, budget, blanked, null);
    if (!found.has('moov')) throw new NotUnderstood();
    if (blanked.reduce((sum, { body, end }) => sum + end - body, 0) > MOST_BLANKED) throw new NotUnderstood();
    return blanked.length === 0 ? video : assemble(video, blanked);
  } catch (error) {
    if (error instanceof NotUnderstood) return null;
    throw error;
  }
}

/** Collects the descriptions inside a box. @returns the types of the boxes in it */
async function walk(
  video: Blob,
  outer: Box,
  budget: { boxes: number },
  blanked: Box[],
  track: Track | null,
): Promise<ReadonlySet<string>> {
  const types = new Set<string>();
  const inFile = outer.type === '';
  // A list of boxes in QuickTime may end with four zeros.
  for (let at = outer.body; at < outer.end - (inFile ? 0 : 7); ) {
    budget.boxes -= 1;
    if (budget.boxes < 0) throw new NotUnderstood();
    const box = await boxAt(video, at, outer.end, inFile);
    types.add(box.type);
    if (DESCRIPTIONS.has(box.type)) blanked.push(box);
    else if (box.type === 'trak') await walkTrack(video, box, budget, blanked);
    else if (CONTAINERS.has(box.type)) await walk(video, box, budget, blanked, track);
    else if (box.type === 'cmov') throw new NotUnderstood();
    else if (track && box.type === 'hdlr' && outer.type === 'mdia') track.kind = await kindOf(video, box);
    else if (track && box.type === 'stsd') track.samples = box;
    at = box.end;
  }
  return types;
}

/** Tracks of other data, such as those of action cameras, may contain places in their samples, which stay. */
async function walkTrack(video: Blob, box: Box, budget: { boxes: number }, blanked: Box[]): Promise<void> {
  const track: Track = { kind: '', samples: null };
  await walk(video, box, budget, blanked, track);
  if (PLAIN_TRACKS.has(track.kind)) return;
  if (track.kind !== 'meta' || track.samples === null) throw new NotUnderstood();
  // Phones describe the values of such a track by their names, for example the orientation.
  const { body, end } = track.samples;
  if (end - body > MOST_READ) throw new NotUnderstood();
  const text = new TextDecoder('latin1').decode(await video.slice(body, end).arrayBuffer());
  if (text.slice(12, 16) !== 'mebx' || /location|gps/i.test(text)) throw new NotUnderstood();
}

async function kindOf(video: Blob, { body, end }: Box): Promise<string> {
  if (end - body < 12) throw new NotUnderstood();
  return typeIn(await video.slice(body + 8, body + 12).arrayBuffer(), 0);
}

async function boxAt(video: Blob, start: number, limit: number, inFile: boolean): Promise<Box> {
  const bytes = await video.slice(start, Math.min(start + 16, limit)).arrayBuffer();
  if (bytes.byteLength < 8) throw new NotUnderstood();
  const head = new DataView(bytes);
  const short = head.getUint32(0);
  const isLong = short === 1;
  if (isLong && bytes.byteLength < 16) throw new NotUnderstood();
  // Only the last box of a file may have no size.
  if (short === 0 && !inFile) throw new NotUnderstood();
  const size = isLong ? Number(head.getBigUint64(8)) : short === 0 ? limit - start : short;
  const body = start + (isLong ? 16 : 8);
  const end = start + size;
  if (end < body || end > limit) throw new NotUnderstood();
  return { type: typeIn(bytes, 4), start, body, end };
}

function typeIn(bytes: ArrayBuffer, at: number): string {
  return String.fromCharCode(...new Uint8Array(bytes, at, 4));
}

/** The video with some boxes as free space of the same size. */
function assemble(video: Blob, blanked: readonly Box[]): Blob {
  const parts: BlobPart[] = [];
  const zeros = new Uint8Array(MOST_READ);
  let at = 0;
  for (const { start, body, end } of blanked) {
    parts.push(video.slice(at, start + 4), 'free', video.slice(start + 8, body));
    for (let left = end - body; left > 0; left -= zeros.length) parts.push(zeros.subarray(0, left));
    at = end;
  }
  parts.push(video.slice(at));
  return new Blob(parts, { type: video.type });
}
