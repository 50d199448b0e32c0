import type { DeviceDetail, ParameterRow, ParameterValueRow } from '@chargehand/contract';
import { sameItemValue } from '@chargehand/domain';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../shared/api/client.ts';
import { useMedia } from '../../../shared/hooks/use-media.ts';
import { useNames } from '../../../shared/i18n/use-names.ts';
import { Confirm } from '../../../shared/ui/dialogs/confirm.tsx';
import { Dialog } from '../../../shared/ui/dialogs/dialog.tsx';
import { EmptyState } from '../../../shared/ui/states/empty-state.tsx';
import { ErrorState } from '../../../shared/ui/states/error-state.tsx';
import { SkeletonRows } from '../../../shared/ui/states/skeleton-rows.tsx';
import type { Column } from '../../../shared/ui/table/column.ts';
import { Table } from '../../../shared/ui/table/table.tsx';
import { ItemName } from '../../../shared/ui/values/item-name.tsx';
import { ItemValue } from '../../../shared/ui/values/item-value.tsx';
import { ExactTime } from '../../../shared/ui/values/time-ago.tsx';
import css from '../operations.module.css';
import { parameterObstacle, shownParameter } from './parameter-state.ts';

interface Props {
  device: DeviceDetail;
  parameters: readonly ParameterRow[];
  /** empty: all parameters */
  paramKey: string;
  onExecution(id: string): void;
  onSet(key: string, value: string): Promise<void>;
  onClose(): void;
}

/** All former values of a parameter, with their source, and a button to restore them. */
export function ParameterHistory({ device, parameters, paramKey, onExecution, onSet, onClose }: Props) {
  const { t } = useTranslation('parameters');
  const { t: operations } = useTranslation('operations');
  const { nameOf, language } = useNames();
  const [back, setBack] = useState<{ key: string; value: string } | null>(null);
  const params = { id: device.id };
  const filter = paramKey === '' ? {} : { key: paramKey };
  const history = useInfiniteQuery({
    queryKey: ['listParameterHistory', { params, query: filter }],
    queryFn: ({ pageParam, signal }) =>
      call(
        'listParameterHistory',
        { params, query: { ...filter, limit: 20, ...(pageParam !== null && { before: pageParam }) } },
        { signal, quiet: true },
      ),
    initialPageParam: null as number | null,
    getNextPageParam: ({ next }) => next,
  });
  const rows = history.data?.pages.flatMap(({ items }) => items);
  const known = new Map(parameters.map((row) => [row.key.toLowerCase(), row]));
  const named = known.get(paramKey.toLowerCase());
  const name = named?.item ? nameOf(named.item.name) : paramKey;
  const inOneCell = useMedia('(max-width: 760px)');

  /** A former value that differs from the current one and that the user may set. */
  function returnable({ key, value }: ParameterValueRow): boolean {
    const present = known.get(key.toLowerCase());
    if (value === null || !present?.may.set || parameterObstacle(device, true) !== null) return false;
    return present.value === null || !sameItemValue(present.item, present.value, value);
  }

  const value = ({ item, value }: ParameterValueRow) => (
    <ItemValue shown={shownParameter(item, value, language)} raw={value ?? undefined} />
  );
  const source = ({ source, changedBy, executionId }: ParameterValueRow) => (
    <>
      {changedBy === null ? t(`history.${source}`) : t('history.by', { name: changedBy })}
      {executionId !== null && (
        <>
          {' · '}
          <button type="button" className="text-button" onClick={() => onExecution(executionId)}>
            {t('execution')}
          </button>
        </>
      )}
    </>
  );
  const revert = (row: ParameterValueRow) =>
    returnable(row) && (
      <Button size="small" onClick={() => setBack({ key: row.key, value: row.value ?? '' })}>
        {t('history.revert')}
      </Button>
    );
  const columns: Column<ParameterValueRow>[] = [
    { title: t('history.at'), width: 172, render: (_, { at }) => <ExactTime at={at} /> },
    ...(paramKey === ''
      ? [
          {
            title: operations('parameter.key'),
            render: (_: unknown, { key, item }: ParameterValueRow) => (
              <ItemName itemKey={key} name={item?.name ?? null} documentId={null} />
            ),
          },
        ]
      : []),
    { title: operations('parameter.value'), render: (_, row) => value(row) },
    { title: t('history.source'), width: paramKey === '' ? 232 : 250, render: (_, row) => source(row) },
    {
      title: <span className="visually-hidden">{t('history.revert')}</span>,
      width: 128,
      align: 'end',
      render: (_, row) => revert(row),
    },
  ];
  const card = (row: ParameterValueRow) => (
    <div className={css.rowCard}>
      <div className={css.rowCardLine}>
        {paramKey === '' && <ItemName itemKey={row.key} name={row.item?.name ?? null} documentId={null} />}
        <span className="quiet no-break">
          <ExactTime at={row.at} />
        </span>
      </div>
      <div className={css.rowCardLine}>
        <strong>{value(row)}</strong>
        {revert(row)}
      </div>
      <div className="quiet">{source(row)}</div>
    </div>
  );

  return (
    <Dialog
      title={paramKey === '' ? t('history.title') : t('history.titleOf', { name })}
      footer={null}
      width={paramKey === '' ? 880 : 760}
      onCancel={onClose}
    >
      {history.isError && !rows ? (
        <ErrorState error={history.error} onRetry={() => void history.refetch()} />
      ) : !rows ? (
        <SkeletonRows rows={6} />
      ) : (
        <>
          <Table<ParameterValueRow>
            label={t('history.title')}
            showHeader={!inOneCell}
            columns={inOneCell ? [{ key: 'row', render: (_, row) => card(row) }] : columns}
            rows={rows}
            scrollHeight="56vh"
            scrollWidth={inOneCell ? undefined : 640}
            empty={<EmptyState text={t('history.none')} />}
          />
          {history.hasNextPage && (
            <p className={css.parameterMore}>
              <Button loading={history.isFetchingNextPage} onClick={() => void history.fetchNextPage()}>
                {t('history.more')}
              </Button>
            </p>
          )}
        </>
      )}
      {back && (
        <Confirm
          title={t('history.revertTitle', { key: back.key })}
          ok={operations('parameter.set')}
          run={() => onSet(back.key, back.value)}
          onDone={() => {
            setBack(null);
            onClose();
          }}
          onClose={() => setBack(null)}
        >
          <p>{t('history.revertText', { key: back.key, value: back.value, device: device.name })}</p>
        </Confirm>
      )}
    </Dialog>
  );
}
