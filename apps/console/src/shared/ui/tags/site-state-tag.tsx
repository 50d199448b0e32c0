import type { SiteState } from '@chargehand/domain';
import { useTranslation } from 'react-i18next';
import type { Glyph } from './status-glyph.tsx';
import { Tag, type Tone } from './tag.tsx';

/** The color and the shape of each state of a site. */
export const SITE_STATE_LOOKS: Record<SiteState, { tone: Tone; glyph: Glyph }> = {
  faulted: { tone: 'faulted', glyph: 'alert' },
  offline: { tone: 'offline', glyph: 'broken' },
  attention: { tone: 'firmware-update', glyph: 'half' },
  normal: { tone: 'idle', glyph: 'check' },
  empty: { tone: 'plain', glyph: 'ring' },
  disabled: { tone: 'disabled', glyph: 'bar' },
};

/** The state of a site, computed from its devices. */
export function SiteStateTag({ state }: { state: SiteState }) {
  const { t } = useTranslation();
  return <Tag {...SITE_STATE_LOOKS[state]}>{t(`siteState.${state}`)}</Tag>;
}
