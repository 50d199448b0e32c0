import { type ContentMark, type ContentNode, cleanContent, type DocumentContent } from '@chargehand/domain';
import type { Nodes } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';

/** The id of a file of the folder, by its path in the Markdown text; null when it is not in the folder. */
export type FileIds = (path: string) => string | null;

/**
 * The content of a text in GitHub-flavored Markdown. HTML in it is shown as text. The result is clean, like every
 * content from outside.
 */
export function contentFromMarkdown(markdown: string, fileId: FileIds): DocumentContent {
  const root = fromMarkdown(markdown, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] });
  return cleanContent({ type: 'doc', content: root.children.flatMap((node) => convert(node, [], fileId)) });
}

const CALLOUTS: Record<string, string> = {
  NOTE: 'info',
  IMPORTANT: 'info',
  TIP: 'success',
  WARNING: 'warning',
  CAUTION: 'danger',
};
const ALERT = /^\[!(NOTE|TIP|IMPORTANT|WARNING|CAUTION)\]\s*/;
const MENTION = /^mention:(device|model|code|document)\/(.+)$/;

function convert(node: Nodes, marks: ContentMark[], files: FileIds): ContentNode[] {
  const inside = (more: ContentMark[] = []) =>
    'children' in node ? (node.children as Nodes[]).flatMap((child) => convert(child, [...marks, ...more], files)) : [];
  switch (node.type) {
    case 'text':
    case 'html':
      return [textNode(node.value, marks)];
    case 'inlineCode':
      return [textNode(node.value, [...marks, { type: 'code' }])];
    case 'strong':
      return inside([{ type: 'bold' }]);
    case 'emphasis':
      return inside([{ type: 'italic' }]);
    case 'delete':
      return inside([{ type: 'strike' }]);
    case 'break':
      return [{ type: 'hardBreak' }];
    case 'link':
      return link(node.url, inside, files);
    case 'image': {
      const file = files(node.url);
      return file === null
        ? [textNode(node.alt ?? node.url, marks)]
        : [{ type: 'image', attrs: { file, alt: node.alt ?? '' } }];
    }
    case 'heading':
      return [{ type: 'heading', attrs: { level: Math.min(node.depth, 4) }, content: inside() }];
    case 'paragraph':
      return [{ type: 'paragraph', content: inside() }];
    case 'thematicBreak':
      return [{ type: 'horizontalRule' }];
    case 'code':
      return [{ type: 'codeBlock', attrs: { language: node.lang ?? '' }, content: [textNode(node.value, [])] }];
    case 'blockquote':
      return quote(inside());
    case 'list': {
      const tasks = node.children.some(({ checked }) => typeof checked === 'boolean');
      const type = tasks ? 'taskList' : node.ordered ? 'orderedList' : 'bulletList';
      const content = node.children.map((item) => ({
        type: tasks ? 'taskItem' : 'listItem',
        ...(tasks ? { attrs: { checked: item.checked === true } } : {}),
        content: item.children.flatMap((child) => convert(child, [], files)),
      }));
      return [{ type, ...(node.ordered && !tasks ? { attrs: { start: node.start ?? 1 } } : {}), content }];
    }
    case 'table':
      return [
        {
          type: 'table',
          content: node.children.map((row, index) => ({
            type: 'tableRow',
            content: row.children.map((cell) => ({
              type: index === 0 ? 'tableHeader' : 'tableCell',
              content: [{ type: 'paragraph', content: cell.children.flatMap((child) => convert(child, [], files)) }],
            })),
          })),
        },
      ];
    default:
      return inside();
  }
}

function textNode(text: string, marks: readonly ContentMark[]): ContentNode {
  return { type: 'text', text, ...(marks.length > 0 ? { marks: [...marks] } : {}) };
}

function link(url: string, inside: (more?: ContentMark[]) => ContentNode[], files: FileIds): ContentNode[] {
  const mention = MENTION.exec(url);
  const label = () =>
    inside()
      .map(({ text }) => text ?? '')
      .join('');
  if (mention) return [{ type: 'mention', attrs: { kind: mention[1], id: mention[2], label: label() } }];
  const file = files(url);
  if (file !== null) return [{ type: 'attachment', attrs: { file, name: label() || url } }];
  return inside([{ type: 'link', attrs: { href: url } }]);
}

/** A quote, or a callout when it starts with the mark of an alert. */
function quote(content: ContentNode[]): ContentNode[] {
  const [first, ...rest] = content;
  const opening = first?.content?.[0];
  const alert = ALERT.exec(opening?.text ?? '');
  if (!first || !opening || !alert) return [{ type: 'blockquote', content }];
  const text = opening.text!.slice(alert[0].length);
  const remaining = [...(text === '' ? [] : [{ ...opening, text }]), ...(first.content ?? []).slice(1)];
  const head = remaining.length > 0 ? [{ ...first, content: remaining }] : [];
  return [{ type: 'callout', attrs: { kind: CALLOUTS[alert[1]!] }, content: [...head, ...rest] }];
}
