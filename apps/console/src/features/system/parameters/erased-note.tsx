import type { AnswerOf, systemParameterEndpoints } from '@chargehand/contract';
import { isBrandingKey, type SettingKey, systemParameter } from '@chargehand/domain';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { queryOf } from '../../../shared/api/query.ts';
import { ExactTime } from '../../../shared/ui/values/time-ago.tsx';
import css from './parameters.module.css';

interface Erased {
  /** the value is a shorter retention */
  shorter: boolean;
  /** the number is known, or nothing is deleted */
  known: boolean;
  deletes: boolean;
  data: AnswerOf<typeof systemParameterEndpoints.previewSystemParameter> | undefined;
  error: Error | null;
}

/** What a new value of a parameter would delete. */
export function useErased(key: SettingKey, value: number | string | null, present: number | string): Erased {
  const isRetention = !isBrandingKey(key) && systemParameter(key).erases === true;
  const shorter = isRetention && value !== null && value < present;
  const preview = useQuery({
    ...queryOf('previewSystemParameter', { params: { key }, query: { value: Number(value ?? 0) } }, { quiet: true }),
    enabled: shorter,
  });
  const data = shorter ? preview.data : undefined;
  return {
    ...{ shorter, data, known: !shorter || data !== undefined, deletes: (data?.rows ?? 0) > 0 },
    error: shorter ? preview.error : null,
  };
}

/** Says how much a shorter retention deletes. */
export function ErasedNote({ erased, value }: { erased: Erased; value: number | string }) {
  const { t } = useTranslation('system-parameters');
  const { shorter, data, error } = erased;
  if (!shorter) return null;
  return (
    <div role="status" className={css.erased}>
      {error !== null && <p className="error-note">{error.message}</p>}
      {error === null && data === undefined && <p className="quiet">{t('erased.counting')}</p>}
      {data && data.rows === 0 && <p>{t('erased.none', { days: value })}</p>}
      {data && data.rows > 0 && (
        <>
          <p>
            <strong>
              {t(data.approximate ? 'erased.about' : 'erased.exact', {
                count: data.rows,
                shown: data.rows.toLocaleString('en-US'),
                days: value,
              })}
            </strong>
          </p>
          <p>
            {t('erased.oldest')} <ExactTime at={data.oldest} />
          </p>
          <p>{t('erased.final')}</p>
        </>
      )}
    </div>
  );
}
