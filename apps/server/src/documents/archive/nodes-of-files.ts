import { type ContentNode, contentPurpose, type DocumentContent, visit } from '@chargehand/domain';
import type { Reference } from './archive-worker.ts';

/** A file that a text shows. */
export interface ShownFile {
  id: number;
  name: string;
  /** bytes */
  size: number;
}

/**
 * An imported content with its files. What the document shows already stays in its full form, because Markdown knows
 * neither the size of a picture nor that a file is a video. Without a file, the name or the alternative text stays.
 * @param texts what the document shows already
 */
export function nodesOfFiles(
  content: DocumentContent,
  of: { references: readonly Reference[]; files: readonly (ShownFile | null)[]; texts: readonly DocumentContent[] },
): DocumentContent {
  const known = new Map<string, ContentNode>();
  for (const text of of.texts) {
    visit(text, (node) => {
      if (node.attrs?.file !== undefined) known.set(String(node.attrs.file), node);
    });
  }
  const mapped = (nodes: readonly ContentNode[]): ContentNode[] =>
    nodes.map((node) => {
      if (node.attrs?.file === undefined) return node.content ? { ...node, content: mapped(node.content) } : node;
      const index = Number(node.attrs.file);
      const file = of.files[index];
      if (!file) return textOf(node);
      return knownNode(node, known.get(String(file.id))) ?? newNode(node, file, of.references[index]?.size ?? null);
    });
  return { type: 'doc', content: mapped(content.content) };
}

function textOf({ type, attrs = {} }: ContentNode): ContentNode {
  const text = String((type === 'image' ? attrs.alt : attrs.name) ?? '');
  return { type: 'paragraph', ...(text !== '' && { content: [{ type: 'text', text }] }) };
}

function knownNode({ type, attrs = {} }: ContentNode, known: ContentNode | undefined): ContentNode | null {
  if (!known) return null;
  if (type !== 'image' || known.type !== 'image') return known;
  const { alt: _, ...others } = known.attrs ?? {};
  const { alt } = attrs;
  return { type, attrs: { ...others, ...(alt !== undefined && { alt }) } };
}

function newNode({ type, attrs = {} }: ContentNode, file: ShownFile, size: readonly unknown[] | null): ContentNode {
  const id = String(file.id);
  const purpose = contentPurpose(file.name);
  if (type === 'image' && purpose === 'image') {
    const [width, height] = size ?? [];
    return { type, attrs: { file: id, alt: attrs.alt ?? '', width, height } };
  }
  const name = String((type === 'image' ? attrs.alt : attrs.name) || file.name);
  if (purpose === 'video') return { type: 'video', attrs: { file: id, name } };
  return { type: 'attachment', attrs: { file: id, name, size: file.size } };
}
