import type { ExecutionRow } from '@chargehand/contract';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import type { Glyph } from '../../../shared/ui/tags/status-glyph.tsx';
import { Tag, type Tone } from '../../../shared/ui/tags/tag.tsx';

type Verification = NonNullable<ExecutionRow['verification']>;

const LOOKS: Record<Verification['state'], { tone: Tone; glyph: Glyph }> = {
  pending: { tone: 'working', glyph: 'clock' },
  same: { tone: 'idle', glyph: 'check' },
  other: { tone: 'faulted', glyph: 'cross' },
  afterRestart: { tone: 'firmware-update', glyph: 'clock' },
  unread: { tone: 'plain', glyph: 'broken' },
};

/** The text for the result of reading a value back; empty when nothing is read back. */
export function useVerification(): (execution: Pick<ExecutionRow, 'verification'>) => string {
  const { t } = useTranslation('parameters');
  return useCallback(
    ({ verification }) =>
      verification === null ? '' : t(`verification.${verification.state}.text`, { value: verification.value ?? '' }),
    [t],
  );
}

/** Whether a device has the value that was set: an icon with a text. */
export function VerificationMark({ execution }: { execution: Pick<ExecutionRow, 'verification'> }) {
  const { t } = useTranslation('parameters');
  const textOf = useVerification();
  const { verification } = execution;
  if (!verification) return null;
  const { state, value } = verification;
  return (
    <span className="verification">
      <Tag {...LOOKS[state]} title={textOf(execution)}>
        {t(`verification.${state}.tag`)}
      </Tag>
      {value !== null && <span className="quiet">{t('verification.reported', { value })}</span>}
    </span>
  );
}
