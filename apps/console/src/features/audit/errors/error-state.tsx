import type { ErrorRow } from '@chargehand/contract';
import { useTranslation } from 'react-i18next';
import type { Glyph } from '../../../shared/ui/tags/status-glyph.tsx';
import { Tag, type Tone } from '../../../shared/ui/tags/tag.tsx';

const LOOKS: Record<ErrorRow['state'], { tone: Tone; glyph: Glyph }> = {
  new: { tone: 'faulted', glyph: 'cross' },
  known: { tone: 'firmware-update', glyph: 'clock' },
  solved: { tone: 'idle', glyph: 'check' },
};

/** The state of an error, and whether it has returned or is solved only from the next version. */
export function ErrorStateTag({ error }: { error: Pick<ErrorRow, 'state' | 'solvedIn' | 'returnedAt'> }) {
  const { t } = useTranslation('errors');
  const { state, solvedIn, returnedAt } = error;
  const more =
    state === 'new' && returnedAt !== null ? t('returned') : solvedIn === 'nextVersion' ? t('nextVersion') : null;
  return (
    <Tag {...LOOKS[state]}>
      {t(`states.${state}`)}
      {more !== null && ` · ${more}`}
    </Tag>
  );
}
