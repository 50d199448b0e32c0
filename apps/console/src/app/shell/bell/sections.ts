import type { BellSource } from '@chargehand/contract/constants';
import { type ComponentType, lazy } from 'react';
import { loadWords } from '../../../shared/i18n/i18n.ts';
import type { Room } from '../../../shared/i18n/words.ts';
import { loadChunk } from '../../../shared/lib/browser/load-chunk.ts';
import type { BellSectionProps } from '../../../shared/ui/bell/bell-section.tsx';

/** The section of a feature and its texts, loaded in parallel. */
function section(fetchSection: () => Promise<{ default: ComponentType<BellSectionProps> }>, words: readonly Room[]) {
  return lazy(async () => {
    const [module] = await Promise.all([loadChunk(fetchSection), loadWords(['bell', ...words])]);
    return module;
  });
}

/** The sections of the bell, in order. Each lists what one source counts. */
export const BELL_SECTIONS: readonly { source: BellSource; Section: ComponentType<BellSectionProps> }[] = [
  { source: 'alarms', Section: section(() => import('../../../features/alarms/bell-alarms.tsx'), ['alarms']) },
  {
    source: 'results',
    Section: section(() => import('../../../features/operations/results/own-results.tsx'), ['operations']),
  },
];
