import type { ProtocolFrameRow } from '@chargehand/contract';
import { type ContentNode, EVIDENCE_LIMITS, formatTime } from '@chargehand/domain';
import { fileNameOf, fitsInComment, uploadedFileNode } from '../../../shared/ui/issues/add/issue-nodes.ts';
import { prettyBody } from './frames.ts';

/** Frames as parts of a comment: when, in which direction, and their content. Long ones become a file. */
export async function frameNodes(
  frames: readonly ProtocolFrameRow[],
  directionOf: (type: number) => string,
  issueId: number,
  signal: AbortSignal,
): Promise<ContentNode[]> {
  const nodes = frames.flatMap((frame): ContentNode[] => [
    { type: 'paragraph', content: [{ type: 'text', text: headOf(frame, directionOf) }] },
    ...(frame.body
      ? [
          {
            type: 'codeBlock',
            attrs: { language: 'json' },
            content: [{ type: 'text', text: prettyBody(frame.body) }],
          },
        ]
      : []),
  ]);
  if (fitsInComment(nodes)) return nodes;
  return [await uploadedFileNode(issueId, framesFile('frames', frames), signal)];
}

function headOf({ at, type, action, note }: ProtocolFrameRow, directionOf: (type: number) => string): string {
  return [formatTime(at), directionOf(type), action, note].filter(Boolean).join(' · ');
}

/** The newest frames as a file: one JSON object per frame, oldest first. */
export function framesFile(name: string, frames: readonly ProtocolFrameRow[]): File {
  const kept = frames.slice(0, EVIDENCE_LIMITS.frames).toSorted((one, other) => one.id - other.id);
  const text = `[\n${kept.map((frame) => JSON.stringify(frame)).join(',\n')}\n]\n`;
  return new File([text], `${fileNameOf(name, kept[0]?.at.slice(0, 19).replaceAll(':', '-') ?? '')}.json`);
}
