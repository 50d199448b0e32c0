import type { TokenState } from '@chargehand/contract';
import { useTranslation } from 'react-i18next';
import { Tag } from '../../shared/ui/tags/tag.tsx';

const LOOKS = {
  valid: ['idle', 'check'],
  blocked: ['faulted', 'alert'],
  expired: ['offline', 'clock'],
  notYet: ['firmware-update', 'clock'],
} as const;

/** Whether a token may be used now. */
export function TokenStateTag({ state }: { state: TokenState }) {
  const { t } = useTranslation('tokens');
  const [tone, glyph] = LOOKS[state];
  return (
    <Tag tone={tone} glyph={glyph}>
      {t(`states.${state}`)}
    </Tag>
  );
}
