import type { ApplicationRow } from '@chargehand/contract';
import { useTranslation } from 'react-i18next';
import type { Glyph } from '../../shared/ui/tags/status-glyph.tsx';
import { Tag, type Tone } from '../../shared/ui/tags/tag.tsx';

const LOOKS: Record<ApplicationRow['state'], { tone: Tone; glyph: Glyph }> = {
  enabled: { tone: 'plain', glyph: 'check' },
  disabled: { tone: 'disabled', glyph: 'bar' },
  expired: { tone: 'maintain', glyph: 'clock' },
  userMissing: { tone: 'faulted', glyph: 'alert' },
};

/** Whether an application can be used, and why not. */
export function ApplicationState({ state }: { state: ApplicationRow['state'] }) {
  const { t } = useTranslation('applications');
  return (
    <Tag {...LOOKS[state]} title={state === 'userMissing' ? t('state.userMissingHint') : undefined}>
      {t(`state.${state}`)}
    </Tag>
  );
}
