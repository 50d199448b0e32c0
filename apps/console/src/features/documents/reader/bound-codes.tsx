import type { DocumentDetail } from '@chargehand/contract';
import { DOCUMENT_TYPES } from '@chargehand/domain';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useModelName } from '../../../shared/i18n/use-model-name.ts';
import { usePermitted } from '../../../shared/session/permitted.tsx';
import css from '../documents.module.css';

/** The codes or keys that a document explains. Alarm codes lead to their alarms. */
export function BoundCodes({ document }: { document: Pick<DocumentDetail, 'type' | 'bindings'> }) {
  const { t } = useTranslation('documents');
  const modelName = useModelName();
  const mayOpenAlarms = usePermitted(['auth_device_list']) && document.type === DOCUMENT_TYPES.alarm;
  return (
    <section className={css.bound} aria-label={t('bindings.label')}>
      <h2>{document.type === null ? t('bindings.label') : t(`bindings.of.${document.type}`)}</h2>
      <ul>
        {[...Map.groupBy(document.bindings, ({ deviceModelId }) => deviceModelId)].map(([deviceModelId, bindings]) => (
          <li key={deviceModelId}>
            <span className="quiet">{modelName(bindings[0]?.model ?? null) ?? t('bindings.allModels')}</span>
            {bindings.map(({ key }) =>
              mayOpenAlarms ? (
                <Link key={key} className="mono" to={alarmsPath(key, deviceModelId)}>
                  {key}
                </Link>
              ) : (
                <span key={key} className="mono">
                  {key}
                </span>
              ),
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

function alarmsPath(code: string, deviceModelId: number | null): string {
  const model: [string, string][] = deviceModelId === null ? [] : [['deviceModelId', String(deviceModelId)]];
  return `/manage/device/alarms?${new URLSearchParams([['code', code], ...model])}`;
}
