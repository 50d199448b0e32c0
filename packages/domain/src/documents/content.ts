/*
 * The content of a document: a tree of nodes as the editor (ProseMirror) stores it. Everything from outside passes
 * through `cleanContent`, which keeps only what is listed here, so that no stored text can carry a script, a style or a
 * link with another scheme.
 */

import { CONTENT_LEVELS } from './content-limits.ts';

/** A mark on a text. */
export interface ContentMark {
  type: string;
  attrs?: Record<string, unknown>;
}

/** A node of a document. */
export interface ContentNode {
  type: string;
  attrs?: Record<string, unknown>;
  content?: ContentNode[];
  text?: string;
  marks?: ContentMark[];
}

/** A whole document. */
export interface DocumentContent extends ContentNode {
  type: 'doc';
  content: ContentNode[];
}

export const EMPTY_CONTENT: DocumentContent = { type: 'doc', content: [{ type: 'paragraph' }] };

/** What a node may contain: blocks, inline nodes, plain text, nothing, or nodes of one type. */
type Children = 'blocks' | 'inline' | 'text' | 'none' | readonly string[];

type Clean = (value: unknown) => unknown;

interface NodeRule {
  children: Children;
  /** attributes with the function that cleans each; `undefined` removes the attribute */
  attrs?: Record<string, Clean>;
  /** attributes without which the node is dropped */
  needs?: readonly string[];
}

export const CALLOUT_KINDS = ['info', 'success', 'warning', 'danger'] as const;
export const MENTION_KINDS = ['device', 'model', 'code', 'document', 'user'] as const;

/** Longest text of an attribute, such as the name of a file. */
const ATTRIBUTE_LENGTH = 500;
/** Longest link; browsers handle at least this. */
export const LINK_LENGTH = 2_000;
/** Maximum number of nested nodes of an input; browsers nest HTML up to 512 levels. Deeper ones are cut off. */
const CONTENT_DEPTH = 1_200;
/** How many further blocks are nested in a container at least: an item and its paragraph in a list. */
const ROOM: Record<string, number> = {
  ...{ blockquote: 1, callout: 1, bulletList: 2, orderedList: 2, taskList: 2, table: 3 },
};

const integer = (low: number, high: number) => (value: unknown) =>
  Number.isInteger(value) && Number(value) >= low && Number(value) <= high ? value : undefined;
const oneOf = (words: readonly string[]) => (value: unknown) => (words.includes(String(value)) ? value : undefined);
const text = (most: number) => (value: unknown) =>
  typeof value === 'string' ? lineOf(value.slice(0, most)) : undefined;
const matching = (pattern: RegExp) => (value: unknown) =>
  typeof value === 'string' && pattern.test(value) ? value : undefined;
const widths = (value: unknown) =>
  Array.isArray(value) && value.length <= 50 && value.every((one) => Number.isInteger(one) && one > 0 && one < 5_000)
    ? value
    : undefined;

const CONTROL_CHARACTERS = /[\p{Cc}\p{Bidi_Control}\u200B\uFEFF\p{Surrogate}\u2028\u2029]/gu;
/** Control characters in a text node; tabs and line breaks stay, because code has them. */
const TEXT_CONTROL = /[[\p{Cc}--[\t\n\r]]\p{Bidi_Control}\u200B\uFEFF\p{Surrogate}]/gv;

/** A text of one line without the characters that the server refuses, such as invisible ones of a pasted title. */
export function lineOf(value: string): string {
  return value.replace(CONTROL_CHARACTERS, '');
}

/** A text of several lines without the characters that the server refuses. */
export function linesOf(value: string): string {
  return value.replace(TEXT_CONTROL, '');
}

/** The key of a stored file: an attachment's id. Files of other servers are not shown, because they could track readers. */
const FILE = matching(/^[0-9]{1,16}$/);

const BLOCKS = [
  ...['paragraph', 'heading', 'bulletList', 'orderedList', 'taskList', 'codeBlock', 'blockquote', 'callout'],
  ...['horizontalRule', 'table', 'image', 'video', 'attachment'],
];
const INLINE = ['text', 'hardBreak', 'mention'];

const NODES: Record<string, NodeRule> = {
  doc: { children: 'blocks' },
  paragraph: { children: 'inline' },
  heading: { children: 'inline', attrs: { level: integer(1, 4) }, needs: ['level'] },
  bulletList: { children: ['listItem'] },
  orderedList: { children: ['listItem'], attrs: { start: integer(0, 100_000) } },
  listItem: { children: 'blocks' },
  taskList: { children: ['taskItem'] },
  taskItem: { children: 'blocks', attrs: { checked: (value) => value === true } },
  codeBlock: { children: 'text', attrs: { language: matching(/^[\w+#.-]{1,30}$/) } },
  blockquote: { children: 'blocks' },
  callout: { children: 'blocks', attrs: { kind: oneOf(CALLOUT_KINDS) }, needs: ['kind'] },
  horizontalRule: { children: 'none' },
  table: { children: ['tableRow'] },
  tableRow: { children: ['tableCell', 'tableHeader'] },
  tableCell: { children: 'blocks', attrs: { colspan: integer(1, 50), rowspan: integer(1, 500), colwidth: widths } },
  tableHeader: { children: 'blocks', attrs: { colspan: integer(1, 50), rowspan: integer(1, 500), colwidth: widths } },
  image: {
    children: 'none',
    attrs: { file: FILE, alt: text(ATTRIBUTE_LENGTH), width: integer(16, 4_000), height: integer(1, 20_000) },
    needs: ['file'],
  },
  video: { children: 'none', attrs: { file: FILE, name: text(ATTRIBUTE_LENGTH) }, needs: ['file'] },
  attachment: {
    children: 'none',
    attrs: { file: FILE, name: text(ATTRIBUTE_LENGTH), size: integer(0, Number.MAX_SAFE_INTEGER) },
    needs: ['file', 'name'],
  },
  mention: {
    children: 'none',
    attrs: { kind: oneOf(MENTION_KINDS), id: text(100), label: text(200) },
    needs: ['kind', 'id', 'label'],
  },
  hardBreak: { children: 'none' },
  text: { children: 'none' },
};

const MARKS: Record<string, Record<string, Clean>> = {
  bold: {},
  italic: {},
  underline: {},
  strike: {},
  code: {},
  link: { href: (value) => (typeof value === 'string' ? (safeLink(value) ?? undefined) : undefined) },
};

/**
 * A link of a document: an absolute `http`, `https`, `mailto` or `tel` address, a path of this server, or a heading of
 * the same page.
 * @returns the link, or null when it is not one of these
 */
export function safeLink(href: string): string | null {
  const link = href.trim();
  if (link.length > LINK_LENGTH || link.search(CONTROL_CHARACTERS) !== -1) return null;
  // `//host` and `/\host` lead to another server.
  if (link.startsWith('/')) return link[1] === '/' || link[1] === '\\' ? null : link;
  const scheme = link.slice(0, link.indexOf(':') + 1).toLowerCase();
  if (scheme === 'tel:') return /^[+\d][\d\s().-]*$/.test(link.slice(4)) ? link : null;
  if (/\s/.test(link)) return null;
  if (link.startsWith('#')) return link;
  const rest = link.slice(scheme.length);
  if (scheme === 'https:' || scheme === 'http:') return rest.startsWith('//') && rest.length > 2 ? link : null;
  return scheme === 'mailto:' && rest.slice(1, -1).includes('@') ? link : null;
}

/**
 * The valid part of a content from outside. Unknown nodes are replaced by what they contain, unknown attributes and
 * marks are removed, and nodes in a wrong place are wrapped or dropped, so that the editor can open every result. What
 * is nested deeper than `CONTENT_LEVELS` is flattened, so that the server accepts every result.
 * @param level where its blocks will stand, if they become a part of another content
 */
export function cleanContent(value: unknown, level = 1): DocumentContent {
  const root = isNode(value) && value.type === 'doc' ? value : { type: 'doc', content: isNode(value) ? [value] : [] };
  const content = cleanChildren(root.content, 'blocks', { depth: 0, level });
  return { type: 'doc', content: content.length > 0 ? content : [{ type: 'paragraph' }] };
}

function isNode(value: unknown): value is ContentNode {
  return typeof value === 'object' && value !== null && typeof (value as ContentNode).type === 'string';
}

/** Where nodes are: `depth` in the input, `level` in the result. Blocks of the document are on level 1. */
interface Place {
  depth: number;
  level: number;
}

function cleanChildren(children: unknown, wanted: Children, place: Place): ContentNode[] {
  if (!Array.isArray(children) || wanted === 'none' || place.depth > CONTENT_DEPTH) return [];
  const cleaned = children.filter(isNode).flatMap((child) => cleanNode(child, wanted, place));
  return wanted === 'blocks' ? wrapInline(cleaned) : cleaned;
}

/** A node with only what is allowed, as nodes that fit where `wanted` nodes stand. */
function cleanNode(node: ContentNode, wanted: Children, place: Place): ContentNode[] {
  if (node.type === 'text')
    return wanted === 'blocks' || wanted === 'inline' || wanted === 'text' ? textNode(node, wanted) : [];
  const rule = Object.hasOwn(NODES, node.type) ? NODES[node.type] : undefined;
  const instead = () => cleanChildren(node.content, wanted, { ...place, depth: place.depth + 1 });
  if (!rule || !fits(node.type, wanted)) return instead();
  if (place.level + (ROOM[node.type] ?? 0) > CONTENT_LEVELS) return instead();
  // A paragraph around a block, as Markdown has it around images, becomes paragraphs beside it.
  if (node.type === 'paragraph' && wanted === 'blocks' && hasBlock(node.content)) return instead();
  const attrs = cleanAttributes(node.attrs, rule.attrs ?? {});
  if (rule.needs?.some((name) => attrs[name] === undefined)) return instead();
  const content = cleanChildren(node.content, rule.children, { depth: place.depth + 1, level: place.level + 1 });
  if (content.length === 0 && !mayBeEmpty(rule.children)) {
    // A list or table without entries cannot be opened; a cell or item without blocks gets an empty paragraph.
    if (rule.children !== 'blocks') return [];
    content.push({ type: 'paragraph' });
  }
  return [
    {
      type: node.type,
      ...(Object.keys(attrs).length > 0 ? { attrs } : {}),
      ...(content.length > 0 ? { content } : {}),
    },
  ];
}

function hasBlock(children: unknown): boolean {
  return Array.isArray(children) && children.some((child) => isNode(child) && BLOCKS.includes(child.type));
}

function mayBeEmpty(children: Children): boolean {
  return children === 'inline' || children === 'text' || children === 'none';
}

function fits(type: string, wanted: Children): boolean {
  if (typeof wanted === 'object') return wanted.includes(type);
  if (wanted === 'blocks') return BLOCKS.includes(type) || INLINE.includes(type);
  return wanted === 'inline' && INLINE.includes(type);
}

/** Groups inline nodes among blocks into paragraphs. */
function wrapInline(nodes: ContentNode[]): ContentNode[] {
  const blocks: ContentNode[] = [];
  let open: ContentNode[] | null = null;
  for (const node of nodes) {
    if (!INLINE.includes(node.type)) {
      open = null;
      blocks.push(node);
      continue;
    }
    if (!open) {
      open = [];
      blocks.push({ type: 'paragraph', content: open });
    }
    open.push(node);
  }
  return blocks;
}

function textNode(node: ContentNode, wanted: Children): ContentNode[] {
  const value = typeof node.text === 'string' ? node.text.replace(TEXT_CONTROL, '') : '';
  if (value === '') return [];
  if (wanted === 'text') return [{ type: 'text', text: value }];
  const marks = (Array.isArray(node.marks) ? node.marks : []).flatMap((mark) => cleanMark(mark));
  return [{ type: 'text', text: value, ...(marks.length > 0 ? { marks } : {}) }];
}

function cleanMark(mark: unknown): ContentMark[] {
  if (!isNode(mark) || !Object.hasOwn(MARKS, mark.type)) return [];
  const rules = MARKS[mark.type]!;
  const attrs = cleanAttributes(mark.attrs, rules);
  if (Object.keys(rules).some((name) => attrs[name] === undefined)) return [];
  return [{ type: mark.type, ...(Object.keys(attrs).length > 0 ? { attrs } : {}) }];
}

function cleanAttributes(attrs: unknown, rules: Record<string, Clean>): Record<string, unknown> {
  if (typeof attrs !== 'object' || attrs === null) attrs = {};
  const cleaned: Record<string, unknown> = {};
  for (const [name, clean] of Object.entries(rules)) {
    const value = clean((attrs as Record<string, unknown>)[name]);
    if (value !== undefined && value !== '') cleaned[name] = value;
  }
  return cleaned;
}

/** The ids of the stored files that a content shows, each once. */
export function filesOf(content: ContentNode): number[] {
  const found = new Set<number>();
  visit(content, ({ attrs }) => {
    if (attrs?.file !== undefined) found.add(Number(attrs.file));
  });
  return [...found];
}

/** A content with other stored files in the places of some. */
export function withFiles(content: DocumentContent, others: ReadonlyMap<number, number>): DocumentContent {
  if (others.size === 0) return content;
  const copy = structuredClone(content);
  visit(copy, ({ attrs }) => {
    const other = attrs?.file === undefined ? undefined : others.get(Number(attrs.file));
    if (attrs && other !== undefined) attrs.file = String(other);
  });
  return copy;
}

/** An object that a text names. */
export interface Mention {
  kind: (typeof MENTION_KINDS)[number];
  id: string;
  label: string;
}

/** The mentions of a content, in any order. */
export function mentionsOf(content: ContentNode): Mention[] {
  const found: Mention[] = [];
  visit(content, (node) => {
    if (node.type === 'mention') found.push(mentionOf(node));
  });
  return found;
}

/** A content with other mentions in the places of its own. */
export function withMentions(content: DocumentContent, change: (mention: Mention) => Mention): DocumentContent {
  const copy = structuredClone(content);
  visit(copy, (node) => {
    if (node.type === 'mention') node.attrs = { ...change(mentionOf(node)) };
  });
  return copy;
}

/** The kinds of objects whose names not every reader of a text may know. */
const NAMED_BY_READER: readonly unknown[] = ['device', 'document'] satisfies Mention['kind'][];
/** Stands for a name in stored texts. */
const UNNAMED = '…';

/**
 * The valid part of a content as it is stored: without the names of mentioned devices and documents, so that no search,
 * export or earlier version shows them. They are read when the text is shown, as far as its reader may know them.
 */
export function storedContent(value: unknown): DocumentContent {
  const content = cleanContent(value);
  visit(content, ({ type, attrs }) => {
    if (type === 'mention' && attrs && NAMED_BY_READER.includes(attrs.kind)) attrs.label = UNNAMED;
  });
  return content;
}

/** A content for people outside, whom the names of mentioned objects are not for. Names of users stay. */
export function withoutMentionedNames(content: DocumentContent): DocumentContent {
  return withMentions(content, (mention) =>
    mention.kind === 'user' ? mention : { ...mention, id: '0', label: UNNAMED },
  );
}

function mentionOf({ attrs }: ContentNode): Mention {
  return { kind: attrs?.kind as Mention['kind'], id: String(attrs?.id), label: String(attrs?.label) };
}

/** The ids of the users that a content mentions, each once. */
export function mentionedUsers(content: ContentNode): number[] {
  const found = new Set<number>();
  visit(content, ({ type, attrs }) => {
    if (type === 'mention' && attrs?.kind === 'user' && /^[1-9]\d{0,8}$/.test(String(attrs.id)))
      found.add(Number(attrs.id));
  });
  return [...found];
}

/** True for a content without text, files and mentions. */
export function isEmptyContent(content: ContentNode): boolean {
  return textOfContent(content).trim() === '' && filesOf(content).length === 0;
}

/** The names of the attachments and videos of a document, each once. */
export function attachmentNamesOf(content: ContentNode): string[] {
  const found = new Set<string>();
  visit(content, (node) => {
    if (node.type === 'attachment' || node.type === 'video') found.add(textOfContent(node));
  });
  return [...found];
}

/** Calls a function for every node, parents before their children, without recursion. */
export function visit(root: ContentNode, call: (node: ContentNode) => void): void {
  const left = [root];
  for (let node = left.pop(); node; node = left.pop()) {
    call(node);
    if (node.content) left.push(...node.content.toReversed());
  }
}

/** The text of a node without marks; blocks and line breaks are separated by a line break, cells by a tab. */
export function textOfContent(node: ContentNode): string {
  if (node.type === 'text') return node.text ?? '';
  if (node.type === 'hardBreak') return '\n';
  if (node.type === 'mention') return `@${String(node.attrs?.label)}`;
  if (node.type === 'attachment' || node.type === 'video') return String(node.attrs?.name ?? '');
  if (node.type === 'image') return String(node.attrs?.alt ?? '');
  const parts = (node.content ?? []).map(textOfContent);
  return parts.join(node.type === 'tableRow' ? '\t' : isInlineParent(node.type) ? '' : '\n');
}

function isInlineParent(type: string): boolean {
  const children = NODES[type]?.children;
  return children === 'inline' || children === 'text';
}
