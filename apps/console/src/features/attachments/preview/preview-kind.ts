import { endingOf } from '@chargehand/domain';

/** How a file is shown. */
export type PreviewKind = 'image' | 'pdf' | 'video' | 'text';

const KINDS: Readonly<Record<string, PreviewKind>> = {
  ...{ jpg: 'image', jpeg: 'image', png: 'image', pdf: 'pdf', mp4: 'video', '3gp': 'video' },
  ...{ txt: 'text', log: 'text', csv: 'text', md: 'text', json: 'text' },
};

/** How a file is shown; null when it can only be downloaded. `shown`: the server sends it for display. */
export function previewKind({ name, shown, size }: { name: string; shown: boolean; size: number }): PreviewKind | null {
  const ending = endingOf(name) ?? '';
  return shown && size > 0 && Object.hasOwn(KINDS, ending) ? (KINDS[ending] ?? null) : null;
}
