import { safeLink } from '@chargehand/domain';
import type { Extensions } from '@tiptap/core';
import { ListItem, TaskItem, TaskList } from '@tiptap/extension-list';
import { TableKit } from '@tiptap/extension-table';
import { Placeholder } from '@tiptap/extensions';
import StarterKit from '@tiptap/starter-kit';
import { Attachment, BLOCKS, Callout, Image, Mention, Video } from './nodes.ts';

/**
 * The schema of the editor: exactly the nodes and marks of `content.ts` in the domain. Items hold any blocks, as there.
 */
export function contentExtensions(): Extensions {
  return [
    StarterKit.configure({
      heading: { levels: [1, 2, 3, 4] },
      link: { openOnClick: false, isAllowedUri: (href) => href !== undefined && safeLink(href) !== null },
      // It would change a document by opening it.
      trailingNode: false,
      listItem: false,
    }),
    ListItem.extend({ content: BLOCKS }),
    TaskList,
    TaskItem.extend({ content: BLOCKS }).configure({ nested: true }),
    TableKit.configure({ table: { resizable: false } }),
    ...[Callout, Mention, Image, Video, Attachment],
  ];
}

/** The hint in an empty document. */
export function placeholder(text: () => string): Extensions[number] {
  return Placeholder.configure({ placeholder: text });
}
