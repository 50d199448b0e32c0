import { CONTENT_LEVELS, CONTENT_VALUES } from '@chargehand/domain';
import { Extension } from '@tiptap/core';
import type { Node } from '@tiptap/pm/model';
import { Plugin } from '@tiptap/pm/state';

/** Bytes for the title and the other fields of a request, and for the names in the JSON text of a value. */
const OTHER_FIELDS = 16 * 1024;
const NAMES = 24;

/** What the server limits. */
interface Size {
  /** nested blocks */
  levels: number;
  /** values of the JSON text */
  values: number;
  bytes: number;
}
export type ContentLimit = keyof Size;

/**
 * Refuses changes after which the server would not save the content, so that nothing is typed that cannot be kept.
 * Changes that make a content smaller are always possible. `bytes`: the maximum size of a request.
 */
export function contentLimits(refused: (limit: ContentLimit) => void, bytes: number): Extension {
  const limits: Size = { levels: CONTENT_LEVELS, values: CONTENT_VALUES, bytes: bytes - OTHER_FIELDS };
  return Extension.create({
    name: 'contentLimits',
    addProseMirrorPlugins: () => [
      new Plugin({
        filterTransaction(transaction, state) {
          // A content that the server sent is shown as it is.
          if (!transaction.docChanged || transaction.getMeta('preventUpdate')) return true;
          const [before, after] = [sizeOf(state.doc), sizeOf(transaction.doc)];
          const limit = (Object.keys(limits) as ContentLimit[]).find(
            (one) => after[one] > limits[one] && after[one] > before[one],
          );
          if (limit !== undefined) refused(limit);
          return limit === undefined;
        },
      }),
    ],
  });
}

/** Nodes never change, and most stay the same from one content to the next: only changed ones are measured again. */
const known = new WeakMap<Node, Size>();

function sizeOf(node: Node): Size {
  let size = known.get(node);
  if (size === undefined) {
    size = measured(node);
    known.set(node, size);
  }
  return size;
}

/** The size of a node, at least that of its JSON text after `cleanContent`. */
function measured(node: Node): Size {
  const attributes = entered(node.attrs);
  const marks = node.marks.map(({ attrs }) => entered(attrs));
  const own = [attributes, ...marks].flat();
  const size: Size = {
    levels: 0,
    // Like the server counts: a value for each object, each list and each comma.
    values:
      1 +
      Number(node.isText) +
      (attributes.length > 0 ? 1 + valuesOf(attributes) : 0) +
      (node.childCount > 0 ? 1 + node.childCount : 0) +
      (marks.length > 0 ? 1 + marks.length : 0) +
      marks.reduce((sum, values) => sum + (values.length > 0 ? 2 + valuesOf(values) : 1), 0),
    bytes: (4 + own.length + marks.length * 2) * NAMES + jsonBytes(node.text ?? '') + jsonBytes(JSON.stringify(own)),
  };
  node.forEach((child) => {
    const { levels, values, bytes } = sizeOf(child);
    size.levels = Math.max(size.levels, levels);
    size.values += values;
    size.bytes += bytes;
  });
  if (node.isBlock && node.type.name !== 'doc') size.levels += 1;
  return size;
}

function entered(attrs: Record<string, unknown>): unknown[] {
  return Object.values(attrs).filter((value) => value !== null && value !== '');
}

function valuesOf(attributes: readonly unknown[]): number {
  return attributes.reduce<number>((sum, value) => sum + (Array.isArray(value) ? 1 + value.length : 1), 0);
}

/** The bytes of a text in JSON, in UTF-8. */
function jsonBytes(text: string): number {
  let bytes = text.length;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code >= 0x80) bytes += code >= 0x800 ? 2 : 1;
    else if (code < 0x20 || code === 0x22 || code === 0x5c) bytes += 1;
  }
  return bytes;
}
