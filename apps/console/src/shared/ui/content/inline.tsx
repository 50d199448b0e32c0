import { type ContentMark, type ContentNode, safeLink } from '@chargehand/domain';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { each } from './each.ts';
import { mentionPath } from './mention-path.ts';

/** The inline content of a block: texts with marks, line breaks, mentions. */
export function Inline({ nodes }: { nodes: readonly ContentNode[] | undefined }) {
  return each(nodes, (node, key) => <InlineNode key={key} node={node} />);
}

function InlineNode({ node }: { node: ContentNode }): ReactNode {
  if (node.type === 'hardBreak') return <br />;
  if (node.type === 'mention') {
    const { kind, id, label } = node.attrs ?? {};
    return <Link to={mentionPath(String(kind), String(id))}>@{String(label)}</Link>;
  }
  if (node.type !== 'text') return null;
  let text: ReactNode = node.text ?? '';
  for (const mark of node.marks ?? []) text = <Marked mark={mark}>{text}</Marked>;
  return text;
}

function Marked({ mark, children }: { mark: ContentMark; children: ReactNode }) {
  switch (mark.type) {
    case 'bold':
      return <strong>{children}</strong>;
    case 'italic':
      return <em>{children}</em>;
    case 'underline':
      return <u>{children}</u>;
    case 'strike':
      return <s>{children}</s>;
    case 'code':
      return <code>{children}</code>;
    case 'link':
      return <TextLink href={String(mark.attrs?.href ?? '')}>{children}</TextLink>;
    default:
      return children;
  }
}

/** A link: pages of the console and headings open in place, other addresses in a new tab. */
function TextLink({ href, children }: { href: string; children: ReactNode }) {
  const link = safeLink(href);
  if (link === null) return children;
  if (link.startsWith('#')) return <Link to={{ hash: link, search: location.search }}>{children}</Link>;
  if (link.startsWith('/')) return <Link to={link}>{children}</Link>;
  return (
    <a href={link} target="_blank" rel="noreferrer">
      {children}
    </a>
  );
}
