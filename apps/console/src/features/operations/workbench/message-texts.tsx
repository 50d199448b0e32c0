import type { ExecutionRow } from '@chargehand/contract';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { queryOf } from '../../../shared/api/query.ts';
import css from './workbench.module.css';

/** A message and its response as JSON. */
export function MessageTexts({ deviceId, execution }: { deviceId: number; execution: ExecutionRow }) {
  const { t } = useTranslation('workbench');
  const { id: executionId, state, params } = execution;
  const detail = useQuery({
    ...queryOf('readExecution', { params: { id: deviceId, executionId } }, { quiet: true }),
    enabled: state === 'ended',
  });
  const answer = detail.data?.answer ?? null;
  return (
    <>
      <section>
        <h4>{t('sent', { action: String(params.action ?? '') })}</h4>
        <pre className={css.workbenchText}>{'payload' in params ? pretty(params.payload) : t('hidden')}</pre>
      </section>
      {answer !== null && (
        <section>
          <h4>{t('answer')}</h4>
          <pre className={css.workbenchText}>{pretty(answer)}</pre>
        </section>
      )}
    </>
  );
}

function pretty(value: unknown): string {
  return JSON.stringify(value, null, 2);
}
