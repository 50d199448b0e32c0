import type { BatchRow } from '@chargehand/contract';
import { useTranslation } from 'react-i18next';
import { Tag } from '../../../shared/ui/tags/tag.tsx';
import { unsuccessfulOf } from './batch-parts.ts';

/** Whether a command is running or has ended; with failures never only that it has ended. */
export function BatchState({ batch }: { batch: Pick<BatchRow, 'counts' | 'endedAt'> }) {
  const { t } = useTranslation('batches');
  const failed = unsuccessfulOf(batch);
  if (batch.endedAt === null) {
    return (
      <Tag tone="working" glyph="clock">
        {t('running')}
      </Tag>
    );
  }
  return failed > 0 ? (
    <Tag tone="faulted" glyph="alert">
      {t('endedWithout', { count: failed })}
    </Tag>
  ) : (
    <Tag tone="idle" glyph="check">
      {t('ended')}
    </Tag>
  );
}

/** The sites of a command: their name if there is one, otherwise their number, with those outside of the user's access. */
export function BatchPlaces({ batch: { sites, outside } }: { batch: Pick<BatchRow, 'sites' | 'outside'> }) {
  const { t } = useTranslation('batches');
  const [only, ...others] = sites;
  if (only && others.length === 0 && outside.sites === 0) return <span>{only.siteName}</span>;
  return <span>{t('sites.count', { count: sites.length + outside.sites })}</span>;
}
