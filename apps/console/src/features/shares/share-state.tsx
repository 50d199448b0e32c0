import type { ShareRow } from '@chargehand/contract';
import { useTranslation } from 'react-i18next';
import type { Glyph } from '../../shared/ui/tags/status-glyph.tsx';
import { Tag, type Tone } from '../../shared/ui/tags/tag.tsx';

const LOOKS: Record<ShareRow['state'], { tone: Tone; glyph: Glyph }> = {
  open: { tone: 'idle', glyph: 'check' },
  locked: { tone: 'faulted', glyph: 'cross' },
  usedUp: { tone: 'disabled', glyph: 'bar' },
  expired: { tone: 'disabled', glyph: 'bar' },
  withdrawn: { tone: 'disabled', glyph: 'bar' },
  destroyed: { tone: 'disabled', glyph: 'bar' },
};

/** The state of a share: active, or why it cannot be used. */
export function ShareState({ state }: { state: ShareRow['state'] }) {
  const { t } = useTranslation('shares');
  return <Tag {...LOOKS[state]}>{t(`states.${state}`)}</Tag>;
}
