import { useTranslation } from 'react-i18next';
import './states.css';

/** The loading state of rows. It appears after a short delay. */
export function SkeletonRows({ rows = 6 }: { rows?: number }) {
  const { t } = useTranslation();
  const lines = Array.from({ length: rows }, (_, row) => ({ row, width: `${92 - ((row * 37) % 46)}%` }));
  return (
    <div className="skeleton" role="status" aria-label={t('loading')}>
      {lines.map(({ row, width }) => (
        <span key={row} style={{ width }} />
      ))}
    </div>
  );
}
