import { type ContentNode, contentPurpose, ISSUE_TEXT_BYTES } from '@chargehand/domain';
import { call } from '../../../api/client.ts';
import { upload } from '../../../storage/upload.ts';

/** A stored file in a text. The server gives the issue a copy of it. */
export function storedFileNode({ id, name, size }: { id: number; name: string; size: number }): ContentNode {
  const file = String(id);
  const purpose = contentPurpose(name);
  if (purpose === 'image') return { type: 'image', attrs: { file, alt: name } };
  if (purpose === 'video') return { type: 'video', attrs: { file, name } };
  return { type: 'attachment', attrs: { file, name, size } };
}

/** Uploads a file for an issue. @throws UploadProblem, ApiProblem */
export async function uploadedFileNode(issueId: number, file: File, signal: AbortSignal): Promise<ContentNode> {
  const key = await upload(file, { folder: 'document', purpose: 'attachment', signal, onProgress: () => undefined });
  const { id, name } = await call('registerAttachment', { body: { key, name: file.name, issueId } }, { quiet: true });
  return storedFileNode({ id, name, size: file.size });
}

/** A name for a file without characters that file names cannot have. */
export function fileNameOf(...parts: readonly string[]): string {
  return parts
    .join(' ')
    .replace(/[/\\:*?"<>|\p{Cc}]+/gu, '-')
    .slice(0, 80)
    .trim();
}

/** True when parts are small enough for the text of a comment. */
export function fitsInComment(nodes: readonly ContentNode[]): boolean {
  return new TextEncoder().encode(JSON.stringify(nodes)).length < ISSUE_TEXT_BYTES / 2;
}
