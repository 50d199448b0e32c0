import { type ContentMark, type ContentNode, cleanContent, type DocumentContent } from '@chargehand/domain';
import type { Nodes } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';

/**
 * The id of a file of the folder, by its path in the Markdown text; null when it is not in the folder. `href`: a link to
 * another address instead.
 */
export type FileIds = (path: string, at: { isPicture: boolean; line: number }) => string | { href: string } | null;

/** What the conversion of a node needs. */
interface Source {
  files: FileIds;
  /** the addresses of links and pictures that are defined elsewhere in the text */
  definitions: ReadonlyMap<string, string>;
}

/**
 * A line in more than 100 nested blocks, by its markers, or in about 200 nested lists, by its indentation. The parser
 * needs seconds for so many, and its time grows with their square.
 */
const TOO_DEEP =
  /^(?![ \t]*([-*])(?:[ \t]*\1)*[ \t]*$)(?:[ \t]*(?:>|(?:[-*+]|\d{1,9}[.)])(?=[ \t]))){101}|^[ \t]{400,}(?:[-*+]|\d{1,9}[.)])[ \t]/mu;

/**
 * The content of a text in GitHub-flavored Markdown. HTML in it is shown as text, except pictures. The result is clean, like every
 * content from outside.
 * @throws {RangeError} for a text that is nested too deep
 */
export function contentFromMarkdown(markdown: string, fileId: FileIds): DocumentContent {
  if (TOO_DEEP.test(markdown)) throw new RangeError('The text is nested too deep.');
  const root = fromMarkdown(markdown, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] });
  const source: Source = { files: fileId, definitions: definitionsOf(root) };
  return cleanContent({ type: 'doc', content: root.children.flatMap((node) => convert(node, [], source)) });
}

function definitionsOf(root: Nodes): Map<string, string> {
  const found = new Map<string, string>();
  const left: Nodes[] = [root];
  for (let node = left.pop(); node; node = left.pop()) {
    // The first definition of a name counts (CommonMark).
    if (node.type === 'definition' && !found.has(node.identifier)) found.set(node.identifier, node.url);
    if ('children' in node) left.push(...(node.children as Nodes[]).toReversed());
  }
  return found;
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

function convert(node: Nodes, marks: ContentMark[], source: Source): ContentNode[] {
  const line = node.position?.start.line ?? 1;
  const inside = (more: ContentMark[] = []) =>
    'children' in node
      ? (node.children as Nodes[]).flatMap((child) => convert(child, [...marks, ...more], source))
      : [];
  switch (node.type) {
    case 'text':
      return [textNode(node.value, marks)];
    case 'html':
      return html(node.value, line, marks, source);
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
      return link(node.url, line, inside, source);
    case 'linkReference':
      return link(source.definitions.get(node.identifier) ?? '', line, inside, source);
    case 'image':
      return [picture(node.url, node.alt ?? '', line, marks, source)];
    case 'imageReference':
      return [picture(source.definitions.get(node.identifier) ?? '', node.alt ?? '', line, marks, source)];
    case 'heading':
      return heading(Math.min(node.depth, 4), inside());
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
        content: item.children.flatMap((child) => convert(child, [], source)),
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
              content: [{ type: 'paragraph', content: cell.children.flatMap((child) => convert(child, [], source)) }],
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

/** A picture; one that is not in the folder is its alternative text, with a link if it is on another server. */
function picture(url: string, alt: string, line: number, marks: ContentMark[], { files }: Source): ContentNode {
  const file = files(url, { isPicture: true, line });
  if (typeof file === 'string') return { type: 'image', attrs: { file, alt } };
  return textNode(alt || url, [...marks, { type: 'link', attrs: { href: url } }]);
}

/** Pictures cannot be in a heading, so they follow it. */
function heading(level: number, content: ContentNode[]): ContentNode[] {
  const isFile = ({ attrs }: ContentNode) => attrs?.file !== undefined;
  const text = content.filter((node) => !isFile(node));
  return [{ type: 'heading', attrs: { level }, content: text }, ...content.filter(isFile)];
}

/** The tag of a picture. None of its parts contains `<`, so that the tags of hostile text are read once. */
const IMAGE_TAG = /<img\b(?:[^<>"']|"[^"<]*"|'[^'<]*')*>/gi;

function html(value: string, line: number, marks: ContentMark[], source: Source): ContentNode[] {
  const nodes: ContentNode[] = [];
  let end = 0;
  let at = line;
  for (const match of value.matchAll(IMAGE_TAG)) {
    const before = value.slice(end, match.index);
    if (before.trim() !== '') nodes.push(textNode(before, marks));
    at += before.split('\n').length - 1;
    nodes.push(picture(attributeOf(match[0], 'src'), attributeOf(match[0], 'alt'), at, marks, source));
    at += match[0].split('\n').length - 1;
    end = match.index + match[0].length;
  }
  const after = value.slice(end);
  if (nodes.length === 0 || after.trim() !== '') nodes.push(textNode(after, marks));
  return nodes;
}

function attributeOf(tag: string, name: string): string {
  const match = new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s"'>]+))`, 'i').exec(tag);
  // Decoded as Markdown does, so that an address means the same in both.
  const value = match?.[1] ?? match?.[2] ?? match?.[3] ?? '';
  return value.replace(/&(amp|lt|gt|quot|#39);/g, (_, entity: string) => ENTITIES[entity] ?? '');
}

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

function link(
  url: string,
  line: number,
  inside: (more?: ContentMark[]) => ContentNode[],
  { files }: Source,
): ContentNode[] {
  const mention = MENTION.exec(url);
  const label = () =>
    inside()
      .map(({ text }) => text ?? '')
      .join('');
  if (mention) return [{ type: 'mention', attrs: { kind: mention[1], id: mention[2], label: label() } }];
  const file = files(url, { isPicture: false, line });
  if (typeof file === 'string') return [{ type: 'attachment', attrs: { file, name: label() || url } }];
  return inside([{ type: 'link', attrs: { href: file?.href ?? url } }]);
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
