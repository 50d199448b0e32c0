import type { ShareRow } from '@chargehand/contract';
import { useTranslation } from 'react-i18next';
import { useNow } from '../../hooks/use-now.ts';
import type { Glyph } from './status-glyph.tsx';
import { Tag, type Tone } from './tag.tsx';

const LOOKS: Record<ShareRow['state'], { tone: Tone; glyph: Glyph }> = {
  open: { tone: 'idle', glyph: 'check' },
  locked: { tone: 'faulted', glyph: 'cross' },
  usedUp: { tone: 'disabled', glyph: 'bar' },
  expired: { tone: 'disabled', glyph: 'bar' },
  withdrawn: { tone: 'disabled', glyph: 'bar' },
  destroyed: { tone: 'disabled', glyph: 'bar' },
};

/** The state of a share: active, or why it cannot be used. */
export function ShareState({ share }: { share: Pick<ShareRow, 'state' | 'expiresAt'> }) {
  const { t } = useTranslation('shares');
  const state = stateAt(share, useNow());
  return <Tag {...LOOKS[state]}>{t(`states.${state}`)}</Tag>;
}

/** The state now: no event announces that a share has expired. */
function stateAt({ state, expiresAt }: Pick<ShareRow, 'state' | 'expiresAt'>, now: number): ShareRow['state'] {
  const isOver = expiresAt !== null && Date.parse(expiresAt) <= now;
  return isOver && state !== 'destroyed' ? 'expired' : state;
}
