import { endingOf } from '@chargehand/domain';
import { OFFICE_LIMIT } from './office/limit.ts';

/** How a file is shown. */
export type PreviewKind = 'image' | 'pdf' | 'video' | 'text' | 'word' | 'sheets';

const KINDS: Readonly<Record<string, PreviewKind>> = {
  ...{ jpg: 'image', jpeg: 'image', png: 'image', pdf: 'pdf', mp4: 'video', '3gp': 'video' },
  ...{ txt: 'text', log: 'text', csv: 'text', md: 'text', json: 'text' },
};
/** Files that the server only sends for download, and that the console can show. */
const OFFICE: Readonly<Record<string, PreviewKind>> = { docx: 'word', xlsx: 'sheets' };

interface Shown {
  name: string;
  /** the server sends it for display */
  shown: boolean;
  /** bytes */
  size: number;
  may: { download: boolean };
}

/** How a file is shown; null when it can only be downloaded, `tooLarge` when its size is the reason. */
export function previewKind({ name, shown, size, may }: Shown): PreviewKind | 'tooLarge' | null {
  const ending = endingOf(name) ?? '';
  if (size === 0) return null;
  if (shown) return Object.hasOwn(KINDS, ending) ? (KINDS[ending] ?? null) : null;
  if (!may.download || !Object.hasOwn(OFFICE, ending)) return null;
  return size > OFFICE_LIMIT ? 'tooLarge' : (OFFICE[ending] ?? null);
}
