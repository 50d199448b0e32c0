import type { DeviceDetail } from '@chargehand/contract';
import { DOCUMENT_TYPES, showText } from '@chargehand/domain';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { queryOf } from '../../shared/api/query.ts';
import { useNames } from '../../shared/i18n/use-names.ts';
import { ExplanationButton } from '../../shared/ui/explanations/explanation.tsx';
import { useExplanations } from '../../shared/ui/explanations/use-explanations.ts';
import { Panel } from '../../shared/ui/page/page-header.tsx';
import { EmptyState } from '../../shared/ui/states/empty-state.tsx';
import { ErrorState } from '../../shared/ui/states/error-state.tsx';
import { SkeletonRows } from '../../shared/ui/states/skeleton-rows.tsx';
import { Describe } from '../../shared/ui/values/describe.tsx';
import { ItemName } from '../../shared/ui/values/item-name.tsx';
import { ItemValue } from '../../shared/ui/values/item-value.tsx';
import { TimeAgo } from '../../shared/ui/values/time-ago.tsx';
import css from './runtime.module.css';
import { inGroups } from './shown-values.ts';

/** The config items of a device's model, with the values that the device reported last. */
export function ConfigItems({ device }: { device: DeviceDetail }) {
  const { t } = useTranslation('telemetry');
  const { nameOf, language } = useNames();
  const configuration = useQuery(queryOf('readConfiguration', { params: { id: device.id } }, { quiet: true }));
  const { data } = configuration;
  const explanationOf = useExplanations(
    DOCUMENT_TYPES.config,
    (data?.items ?? []).map(({ item }) => item.key),
    device.deviceModelId,
  );
  return (
    <Panel title={t('items.config.title')}>
      {!data ? (
        configuration.isError ? (
          <ErrorState error={configuration.error} onRetry={() => void configuration.refetch()} />
        ) : (
          <SkeletonRows rows={4} />
        )
      ) : data.items.length === 0 ? (
        <EmptyState text={t('items.config.none')} />
      ) : (
        <div className={css.configGroups}>
          {inGroups(data.items, ({ item }) => item).map(({ id, name, values }) => (
            <section key={id}>
              <h3>{name && nameOf(name)}</h3>
              <div className="long-names">
                <Describe
                  items={values.map(({ item, value, readAt }) => ({
                    key: item.key,
                    label: (
                      <>
                        <ItemName itemKey={item.key} name={item.name} documentId={item.documentId} />
                        <ExplanationButton
                          of={explanationOf(item.key)}
                          type={DOCUMENT_TYPES.config}
                          deviceModelId={device.deviceModelId}
                        />
                      </>
                    ),
                    value: (
                      <>
                        <ItemValue
                          shown={value === null ? null : showText(item, value, language)}
                          raw={value ?? undefined}
                        />
                        <span className={css.configAge}>
                          <TimeAgo at={readAt} />
                        </span>
                      </>
                    ),
                  }))}
                />
              </div>
            </section>
          ))}
        </div>
      )}
    </Panel>
  );
}
