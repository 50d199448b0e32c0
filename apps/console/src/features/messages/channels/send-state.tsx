import type { SendState } from '@chargehand/domain';
import { useTranslation } from 'react-i18next';
import { Tag, type Tone } from '../../../shared/ui/tags/tag.tsx';

const LOOKS = {
  waiting: ['firmware-update', 'clock'],
  sent: ['plain', 'check'],
  failed: ['faulted', 'cross'],
  dropped: ['disabled', 'bar'],
} as const satisfies Record<SendState, readonly [Tone, string]>;

/** The state of a message to a receiver. */
export function SendStateTag({ state }: { state: SendState }) {
  const { t } = useTranslation('channels');
  const [tone, glyph] = LOOKS[state];
  return (
    <Tag tone={tone} glyph={glyph} title={t(`stateHints.${state}`)}>
      {t(`states.${state}`)}
    </Tag>
  );
}
