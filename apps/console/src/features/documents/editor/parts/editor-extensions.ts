import type { Extensions } from '@tiptap/core';
import { i18n } from '../../../../shared/i18n/i18n.ts';
import { toast } from '../../../../shared/ui/dialogs/toast.ts';
import { type BlockName, findBlocks } from './blocks.ts';
import { type ContentLimit, contentLimits } from './content-limits.ts';
import { contentExtensions, placeholder } from './extensions.ts';
import { findMentions } from './find-mentions.ts';
import { pasteLimits } from './paste-limits.ts';
import { settleSelection } from './settle-selection.ts';
import { suggestions } from './suggestions.ts';

/** The schema with everything that helps to write. */
export function editorExtensions(
  blockLabel: (name: BlockName) => string,
  refused: (limit: ContentLimit) => void,
): Extensions {
  return [
    settleSelection,
    ...contentExtensions(),
    placeholder(() => i18n.t('editor:placeholder')),
    contentLimits(refused),
    pasteLimits(() => toast.error(i18n.t('editor:pasteTooLong'))),
    suggestions({
      char: '@',
      label: () => i18n.t('editor:mention.label'),
      nothing: () => i18n.t('editor:mention.nothing'),
      find: findMentions,
      debounce: 200,
    }),
    suggestions({
      char: '/',
      label: () => i18n.t('editor:tool.insert'),
      nothing: () => i18n.t('editor:mention.nothing'),
      find: (query) => findBlocks(query, blockLabel),
    }),
  ];
}
