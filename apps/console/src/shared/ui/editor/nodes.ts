import { CALLOUT_KINDS, MENTION_KINDS } from '@chargehand/domain';
import { Node } from '@tiptap/core';
import { i18n } from '../../i18n/i18n.ts';
import { fileUrl } from '../content/file-url.ts';

declare module '@tiptap/core' {
  interface Commands<ReturnType> {
    callout: {
      /** Puts the selected blocks into a callout, changes its kind, or takes them out of it. */
      toggleCallout(kind: CalloutKind): ReturnType;
    };
  }
}

/** What containers hold: any blocks, at least one. */
export const BLOCKS = 'block+';

export type CalloutKind = (typeof CALLOUT_KINDS)[number];

/** An attribute of a node, stored in HTML as `data-…`, so that copying and pasting within documents keeps it. */
const attribute = (name: string, read: (text: string) => unknown = (text) => text) => ({
  [name]: {
    default: null,
    parseHTML: (element: HTMLElement) => {
      const text = element.getAttribute(`data-${name}`);
      return text === null ? null : read(text);
    },
    renderHTML: (attributes: Record<string, unknown>) =>
      attributes[name] === null ? {} : { [`data-${name}`]: String(attributes[name]) },
  },
});

const oneOf =
  <T extends string>(words: readonly T[], otherwise: T) =>
  (text: string) =>
    words.find((word) => word === text) ?? otherwise;

export const Callout = Node.create({
  name: 'callout',
  group: 'block',
  content: BLOCKS,
  defining: true,
  addAttributes: () => ({ ...attribute('kind', oneOf(CALLOUT_KINDS, 'info')) }),
  parseHTML: () => [{ tag: 'div[data-kind]' }],
  // The style sheet shows the label, so that the kind is recognizable by more than its color.
  renderHTML: ({ node, HTMLAttributes }) => [
    'div',
    { ...HTMLAttributes, 'data-label': labelOf(node.attrs.kind as CalloutKind) },
    0,
  ],
  addCommands() {
    return {
      toggleCallout:
        (kind) =>
        ({ commands, editor }) => {
          if (!editor.isActive('callout')) return commands.wrapIn('callout', { kind });
          return editor.isActive('callout', { kind })
            ? commands.lift('callout')
            : commands.updateAttributes('callout', { kind });
        },
    };
  },
});

function labelOf(kind: CalloutKind): string {
  switch (kind) {
    case 'info':
      return i18n.t('content:callout.info');
    case 'success':
      return i18n.t('content:callout.success');
    case 'warning':
      return i18n.t('content:callout.warning');
    default:
      return i18n.t('content:callout.danger');
  }
}

/** A link to a device, model, code or document. */
export const Mention = Node.create({
  name: 'mention',
  group: 'inline',
  inline: true,
  atom: true,
  addAttributes: () => ({
    ...attribute('kind', oneOf(MENTION_KINDS, 'document')),
    ...attribute('id'),
    ...attribute('label'),
  }),
  parseHTML: () => [{ tag: 'span[data-kind][data-id][data-label]' }],
  renderHTML: ({ node, HTMLAttributes }) => ['span', HTMLAttributes, `@${node.attrs.label}`],
  renderText: ({ node }) => `@${node.attrs.label}`,
});

/** Only IDs of stored files: pasted addresses of other servers are dropped. */
const fileAttribute = {
  file: {
    default: null,
    parseHTML: (element: HTMLElement) => {
      const id = element.getAttribute('data-file') ?? '';
      return /^\d{1,10}$/.test(id) ? id : null;
    },
    renderHTML: ({ file }: Record<string, unknown>) => ({ 'data-file': String(file) }),
  },
};

export const Image = Node.create({
  name: 'image',
  group: 'block',
  atom: true,
  draggable: true,
  addAttributes: () => ({
    ...fileAttribute,
    alt: { default: null },
    width: { default: null, parseHTML: sizeOf('width') },
    height: { default: null, parseHTML: sizeOf('height') },
  }),
  parseHTML: () => [{ tag: 'img[data-file]' }],
  renderHTML: ({ node, HTMLAttributes }) => ['img', { ...HTMLAttributes, src: fileUrl(node.attrs.file) }],
});

export const Video = Node.create({
  name: 'video',
  group: 'block',
  atom: true,
  draggable: true,
  addAttributes: () => ({ ...fileAttribute, ...attribute('name') }),
  parseHTML: () => [{ tag: 'video[data-file]' }],
  renderHTML: ({ node, HTMLAttributes }) => [
    'video',
    { ...HTMLAttributes, src: fileUrl(node.attrs.file), controls: '', preload: 'metadata' },
  ],
});

export const Attachment = Node.create({
  name: 'attachment',
  group: 'block',
  atom: true,
  draggable: true,
  addAttributes: () => ({ ...fileAttribute, ...attribute('name'), ...attribute('size', Number) }),
  parseHTML: () => [{ tag: 'div[data-file][data-name]' }],
  renderHTML: ({ node: { attrs }, HTMLAttributes }) => [
    'div',
    HTMLAttributes,
    ['span', { class: 'two-lines', title: attrs.name }, String(attrs.name)],
  ],
});

function sizeOf(name: 'width' | 'height') {
  return (element: HTMLElement) => {
    const size = Number.parseInt(element.getAttribute(name) ?? '', 10);
    return Number.isNaN(size) ? null : size;
  };
}
