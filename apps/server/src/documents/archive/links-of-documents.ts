import type { ContentMark, ContentNode, DocumentContent } from '@chargehand/domain';
import type { DocumentLink } from './archive-worker.ts';

/**
 * An imported content whose links to other files of the archive lead to their documents. The text of a link without a
 * document stays.
 * @param ids of the documents, by the paths of their files
 */
export function withLinks(
  content: DocumentContent,
  links: readonly DocumentLink[],
  ids: ReadonlyMap<string, number>,
): DocumentContent {
  if (links.length === 0) return content;
  const paths = new Map(links.map(({ href, path }) => [href, path]));
  const linked = (mark: ContentMark): ContentMark[] => {
    const path = paths.get(String(mark.attrs?.href));
    if (mark.type !== 'link' || path === undefined) return [mark];
    const id = path === null ? undefined : ids.get(path);
    return id === undefined ? [] : [{ ...mark, attrs: { href: `/manage/docs/detail/${id}` } }];
  };
  const mapped = ({ marks, content: inner, ...node }: ContentNode): ContentNode => ({
    ...node,
    ...(marks && { marks: marks.flatMap(linked) }),
    ...(inner && { content: inner.map(mapped) }),
  });
  return { type: 'doc', content: content.content.map(mapped) };
}
