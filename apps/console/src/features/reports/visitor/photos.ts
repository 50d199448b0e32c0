import type { PickedFile } from './queue.ts';
import { withoutLocation } from './video-location.ts';

/** The longest side of a photo that is sent, and its size at most, if lower qualities reach it. Pixels, bytes. */
const LONGEST = 1600;
const WANTED_BYTES = 450 * 1024;
const QUALITIES = [0.8, 0.7, 0.6, 0.5] as const;

/** The browser cannot read the format of a photo, such as HEIC in most of them. */
export class UnreadablePhoto extends Error {}

/**
 * What is sent of a file from a camera. A photo is drawn again: upright, smaller, as JPEG, and without everything that
 * the camera wrote into it, such as the location. A video loses its metadata, if its format is understood.
 * @throws {UnreadablePhoto}
 */
export async function prepare(file: File, number: number): Promise<Omit<PickedFile, 'id'>> {
  if (file.type.startsWith('video/')) {
    // QuickTime, as phones record it, has the same container as MP4.
    const ending = /3gpp?/.test(file.type) ? '3gp' : 'mp4';
    const cleaned = await withoutLocation(file).catch((error: unknown) => {
      throw new UnreadablePhoto('The video cannot be read', { cause: error });
    });
    const name = `video-${number}.${ending}`;
    return { name, blob: cleaned ?? file, kind: 'video', unchanged: cleaned === null };
  }
  const bitmap = await createImageBitmap(file, { imageOrientation: 'from-image' }).catch((error: unknown) => {
    throw new UnreadablePhoto('The photo cannot be read', { cause: error });
  });
  const scale = Math.min(1, LONGEST / Math.max(bitmap.width, bitmap.height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(bitmap.width * scale));
  canvas.height = Math.max(1, Math.round(bitmap.height * scale));
  const context = canvas.getContext('2d');
  if (!context) throw new UnreadablePhoto('The browser has no canvas');
  // Transparent parts of a picture become white, not black.
  context.fillStyle = '#fff';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  bitmap.close();
  let blob: Blob | null = null;
  for (const quality of QUALITIES) {
    blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg', quality));
    if (blob && blob.size <= WANTED_BYTES) break;
  }
  if (!blob) throw new UnreadablePhoto('The photo cannot be drawn');
  return { name: `photo-${number}.jpg`, blob, kind: 'photo' };
}
