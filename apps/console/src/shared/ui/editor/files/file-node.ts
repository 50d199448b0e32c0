import { contentPurpose, FILE_RULES } from '@chargehand/domain';
import type { JSONContent } from '@tiptap/core';

/** The extensions that the file dialog offers. */
export const ACCEPTED = [...FILE_RULES.image.endings, ...FILE_RULES.video.endings, ...FILE_RULES.file.endings]
  .map((ending) => `.${ending}`)
  .join();

/** The extensions that the file dialog of an issue offers. */
export const ACCEPTED_IN_ISSUES = FILE_RULES.attachment.endings.map((ending) => `.${ending}`).join();

/** The node of an uploaded file. */
export async function nodeOf(file: File, id: number): Promise<JSONContent> {
  const purpose = contentPurpose(file.name);
  if (purpose === 'video') return { type: 'video', attrs: { file: String(id), name: file.name } };
  if (purpose === 'file') return { type: 'attachment', attrs: { file: String(id), name: file.name, size: file.size } };
  // With its size the page does not move when the picture arrives. A format that the browser cannot decode has none.
  const size = await createImageBitmap(file).catch(() => null);
  const attrs = size ? { width: Math.max(16, Math.min(4_000, size.width)), height: Math.min(20_000, size.height) } : {};
  return { type: 'image', attrs: { file: String(id), alt: '', ...attrs } };
}
