import { formatSize } from '@chargehand/domain';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { queryOf } from '../../shared/api/query.ts';
import css from './attachments.module.css';

/** The used part of the space from which the bar warns. */
const NEARLY_FULL = 0.9;

/** How much of the space of the user's customer is used. */
export function QuotaBar() {
  const { t } = useTranslation('attachments');
  const { data } = useQuery(queryOf('readQuota', { query: {} }, { quiet: true }));
  if (!data) return null;
  const text = t('quota', { used: formatSize(data.used), limit: formatSize(data.limit) });
  return (
    <div className={css.quota}>
      <meter min={0} max={data.limit || 1} high={data.limit * NEARLY_FULL} value={data.used} aria-label={text} />
      <span className="quiet">{text}</span>
    </div>
  );
}
