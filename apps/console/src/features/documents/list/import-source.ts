import { base64Of } from '../../../shared/storage/base64.ts';
import { upload } from '../../../shared/storage/upload.ts';

/** Archives up to this size are sent with the request; larger ones are uploaded before it. Bytes. */
const INLINE = 20 * 1024 * 1024;

/** The archive of a request: its content, or the key of its upload. */
export type Archive = { content: string } | { key: string };

/** An archive as the import takes it; a large one is uploaded. */
export async function archiveOf(
  file: File,
  { signal, onProgress }: { signal: AbortSignal; onProgress(part: number): void },
): Promise<Archive> {
  if (file.size <= INLINE) return { content: await base64Of(file) };
  onProgress(0);
  return { key: await upload(file, { folder: 'document', purpose: 'attachment', signal, onProgress }) };
}
