import type { TokenImport } from '@chargehand/contract';
import { useQuery } from '@tanstack/react-query';
import { Progress } from 'antd';
import { useTranslation } from 'react-i18next';
import { download } from '../../shared/api/client.ts';
import { queryOf } from '../../shared/api/query.ts';
import { ExportButton } from '../../shared/ui/list-page/export-button.tsx';
import { ErrorState } from '../../shared/ui/states/error-state.tsx';
import { SkeletonRows } from '../../shared/ui/states/skeleton-rows.tsx';
import { ExactTime } from '../../shared/ui/values/time-ago.tsx';
import css from './tokens.module.css';

/** How often a running import is read, and one that has ended. Milliseconds. */
const RUNNING_MS = 1_000;
const ENDED_MS = 30_000;
/** The skipped rows that are listed; the report has all of them. */
const SHOWN = 20;

/** The imports of tokens with their progress, and the rows that were skipped. */
export function ImportsTab() {
  const { t } = useTranslation('tokens');
  const imports = useQuery({
    ...queryOf('listTokenImports', { query: { page: 1, pageSize: 20 } }, { quiet: true }),
    refetchInterval: ({ state }) => (state.data?.items.some((one) => one.state === 'running') ? RUNNING_MS : ENDED_MS),
  });
  if (!imports.data) {
    const retry = () => void imports.refetch();
    return imports.isError ? <ErrorState error={imports.error} onRetry={retry} /> : <SkeletonRows rows={4} />;
  }
  if (imports.data.items.length === 0) return <p className="quiet">{t('import.none')}</p>;
  return (
    <ul className={css.imports}>
      {imports.data.items.map((one) => (
        <ImportItem key={one.id} of={one} />
      ))}
    </ul>
  );
}

function ImportItem({ of }: { of: TokenImport }) {
  const { t } = useTranslation('tokens');
  const { id, fileName, state, total, done, added, changed, unchanged, skipped, faults } = of;
  return (
    <li className={css.import}>
      <div className={css.importHead}>
        <strong className="breaks">{fileName}</strong>
        <ExactTime at={of.startedAt} />
      </div>
      {state === 'running' && <Progress percent={Math.floor((done / Math.max(1, total)) * 100)} />}
      {state === 'failed' && <p>{t('import.failed', { done, total })}</p>}
      <p>{t('import.counts', { total, added, changed, unchanged, skipped })}</p>
      {skipped > 0 && (
        <details>
          <summary>{t('import.skipped', { count: skipped })}</summary>
          <ul>
            {faults.slice(0, SHOWN).map(({ row, value, problems }) => (
              <li key={row}>
                {t('import.row', { row })} <span className={`mono breaks`}>{value}</span>: {problems.join(' ')}
              </li>
            ))}
          </ul>
          {skipped > SHOWN && <p className="quiet">{t('import.more', { count: skipped - SHOWN })}</p>}
          <ExportButton fetch={(options) => download('exportTokenImport', { params: { id } }, options)} />
        </details>
      )}
    </li>
  );
}
