import type { ContentMark, ContentNode, DocumentContent } from '@chargehand/domain';
import type { BlockContent, Nodes, PhrasingContent, Root, RootContent, TableContent } from 'mdast';
import { gfmToMarkdown } from 'mdast-util-gfm';
import { toMarkdown } from 'mdast-util-to-markdown';

/** What a file of a content is called in the exported folder, by its id. */
export type FileNames = (id: string, name: string) => string;

/**
 * A content as GitHub-flavored Markdown. Callouts become alerts (`> [!WARNING]`), mentions become links; underlines and
 * merged cells have no form in Markdown and are lost.
 */
export function contentToMarkdown(content: DocumentContent, fileName: FileNames): string {
  const root: Root = { type: 'root', children: blocks(content.content, fileName) as RootContent[] };
  return toMarkdown(root, { extensions: [gfmToMarkdown()], bullet: '-', rule: '-', fences: true });
}

const ALERTS: Record<string, string> = { info: 'NOTE', success: 'TIP', warning: 'WARNING', danger: 'CAUTION' };

function blocks(nodes: readonly ContentNode[] | undefined, files: FileNames): BlockContent[] {
  return (nodes ?? []).flatMap((node) => block(node, files) as BlockContent[]);
}

function block(node: ContentNode, files: FileNames): Nodes[] {
  const { type, attrs = {}, content } = node;
  switch (type) {
    case 'paragraph':
      return [{ type: 'paragraph', children: inline(content, files) }];
    case 'heading':
      return [{ type: 'heading', depth: Number(attrs.level) as 1, children: inline(content, files) }];
    case 'bulletList':
    case 'taskList':
      return [{ type: 'list', ordered: false, spread: false, children: items(content, files) }];
    case 'orderedList':
      return [
        {
          type: 'list',
          ordered: true,
          start: Number(attrs.start ?? 1),
          spread: false,
          children: items(content, files),
        },
      ];
    case 'codeBlock':
      return [{ type: 'code', lang: attrs.language ? String(attrs.language) : null, value: textOf(content) }];
    case 'blockquote':
      return [{ type: 'blockquote', children: blocks(content, files) }];
    case 'callout': {
      const kind = { type: 'html' as const, value: `[!${ALERTS[String(attrs.kind)] ?? 'NOTE'}]` };
      const first = { type: 'paragraph' as const, children: [kind as PhrasingContent] };
      return [{ type: 'blockquote', children: [first, ...blocks(content, files)] }];
    }
    case 'horizontalRule':
      return [{ type: 'thematicBreak' }];
    case 'table':
      return [{ type: 'table', children: rows(content, files) }];
    case 'image': {
      const url = files(String(attrs.file), '');
      return [{ type: 'paragraph', children: [{ type: 'image', url, alt: String(attrs.alt ?? '') }] }];
    }
    case 'video':
    case 'attachment': {
      const name = String(attrs.name ?? '');
      const url = files(String(attrs.file), name);
      return [
        { type: 'paragraph', children: [{ type: 'link', url, children: [{ type: 'text', value: name || url }] }] },
      ];
    }
    default:
      return [];
  }
}

function items(nodes: readonly ContentNode[] | undefined, files: FileNames) {
  return (nodes ?? []).map(({ type, attrs, content }) => ({
    type: 'listItem' as const,
    spread: false,
    ...(type === 'taskItem' ? { checked: attrs?.checked === true } : {}),
    children: blocks(content, files),
  }));
}

function rows(nodes: readonly ContentNode[] | undefined, files: FileNames): TableContent[] {
  return (nodes ?? []).map((row) => ({
    type: 'tableRow' as const,
    children: (row.content ?? []).map((cell) => ({
      type: 'tableCell' as const,
      // A cell of Markdown has one line.
      children: (cell.content ?? []).flatMap((part, index) => [
        ...(index > 0 ? [{ type: 'text' as const, value: ' ' }] : []),
        ...inline(part.attrs?.file === undefined ? part.content : [part], files),
      ]),
    })),
  }));
}

function inline(nodes: readonly ContentNode[] | undefined, files: FileNames): PhrasingContent[] {
  return (nodes ?? []).flatMap((node): PhrasingContent[] => {
    if (node.type === 'hardBreak') return [{ type: 'break' }];
    if (node.type === 'mention') {
      const { kind, id, label } = node.attrs ?? {};
      return [{ type: 'link', url: `mention:${kind}/${id}`, children: [{ type: 'text', value: String(label) }] }];
    }
    if (node.type !== 'text')
      return block(node, files).flatMap((one) => ('children' in one ? one.children : [])) as PhrasingContent[];
    return [marked(node.text ?? '', node.marks ?? [])];
  });
}

function marked(text: string, marks: readonly ContentMark[]): PhrasingContent {
  const code = marks.some(({ type }) => type === 'code');
  let result: PhrasingContent = code ? { type: 'inlineCode', value: text } : { type: 'text', value: text };
  for (const { type, attrs } of marks) {
    if (type === 'bold') result = { type: 'strong', children: [result] };
    if (type === 'italic') result = { type: 'emphasis', children: [result] };
    if (type === 'strike') result = { type: 'delete', children: [result] };
    if (type === 'link') result = { type: 'link', url: String(attrs?.href), children: [result] };
  }
  return result;
}

function textOf(nodes: readonly ContentNode[] | undefined): string {
  return (nodes ?? []).map(({ text }) => text ?? '').join('');
}
