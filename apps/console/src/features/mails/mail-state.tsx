import type { MailRow } from '@chargehand/contract';
import { useTranslation } from 'react-i18next';
import type { Glyph } from '../../shared/ui/tags/status-glyph.tsx';
import { Tag, type Tone } from '../../shared/ui/tags/tag.tsx';

const LOOKS: Record<MailRow['state'], { tone: Tone; glyph: Glyph }> = {
  waiting: { tone: 'firmware-update', glyph: 'clock' },
  sent: { tone: 'idle', glyph: 'check' },
  failed: { tone: 'faulted', glyph: 'cross' },
  expired: { tone: 'disabled', glyph: 'bar' },
};

/** The state of a mail. Without mail delivery, a waiting mail is stored. */
export function MailState({ state, delivers }: { state: MailRow['state']; delivers: boolean }) {
  const { t } = useTranslation('mails');
  const { tone, glyph } = LOOKS[state];
  return (
    <Tag tone={tone} glyph={glyph}>
      {state === 'waiting' && !delivers ? t('states.kept') : t(`states.${state}`)}
    </Tag>
  );
}
