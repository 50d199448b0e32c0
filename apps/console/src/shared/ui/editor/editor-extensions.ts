import type { Extensions } from '@tiptap/core';
import { i18n } from '../../i18n/i18n.ts';
import { toast } from '../dialogs/toast.ts';
import { type BlockName, findBlocks } from './blocks.ts';
import { type ContentLimit, contentLimits } from './content-limits.ts';
import { contentExtensions, placeholder } from './extensions.ts';
import { leaveTable } from './leave-table.ts';
import { pasteLimits } from './paste-limits.ts';
import { settleSelection } from './settle-selection.ts';
import { type FindSuggested, suggestions } from './suggestions/suggestions.ts';

interface Options {
  placeholder(): string;
  blockLabel(name: BlockName): string;
  /** a change was refused, because the server would not save the content after it */
  refused(limit: ContentLimit): void;
  /** finds what can be mentioned */
  find: FindSuggested;
  /** the maximum size of a request with the content */
  bytes: number;
}

/** The schema with everything that helps to write. */
export function editorExtensions(options: Options): Extensions {
  return [
    settleSelection,
    leaveTable,
    ...contentExtensions(),
    placeholder(options.placeholder),
    contentLimits(options.refused, options.bytes),
    pasteLimits(() => toast.error(i18n.t('editor:pasteTooLong'))),
    suggestions({
      char: '@',
      label: () => i18n.t('editor:mention.label'),
      nothing: () => i18n.t('editor:mention.nothing'),
      find: options.find,
      debounce: 200,
    }),
    suggestions({
      char: '/',
      label: () => i18n.t('editor:tool.insert'),
      nothing: () => i18n.t('editor:mention.nothing'),
      find: (query) => findBlocks(query, options.blockLabel),
    }),
  ];
}
