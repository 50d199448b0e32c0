import { type ContentNode, type DocumentContent, visit } from '@chargehand/domain';

/**
 * An imported content with the files that the document already shows, in their full form: Markdown knows neither the
 * size of an image nor that a file is a video. The ids of other files may be those of another installation; their names
 * or alternative texts stay as text.
 */
export function withKnownFiles(content: DocumentContent, texts: readonly DocumentContent[]): DocumentContent {
  const known = new Map<string, ContentNode>();
  for (const text of texts) {
    visit(text, (node) => {
      if (node.attrs?.file !== undefined) known.set(String(node.attrs.file), node);
    });
  }
  const mapped = (nodes: readonly ContentNode[]): ContentNode[] =>
    nodes.map((node) => {
      if (node.attrs?.file !== undefined) return fileNode(node, known.get(String(node.attrs.file)));
      return node.content ? { ...node, content: mapped(node.content) } : node;
    });
  return { type: 'doc', content: mapped(content.content) };
}

function fileNode({ type, attrs = {} }: ContentNode, known: ContentNode | undefined): ContentNode {
  if (!known) {
    const text = String((type === 'image' ? attrs.alt : attrs.name) ?? '');
    return { type: 'paragraph', ...(text !== '' && { content: [{ type: 'text', text }] }) };
  }
  if (type !== 'image' || known.type !== 'image') return known;
  const { alt: _, ...others } = known.attrs ?? {};
  const { alt } = attrs;
  return { type, attrs: { ...others, ...(alt !== undefined && { alt }) } };
}
