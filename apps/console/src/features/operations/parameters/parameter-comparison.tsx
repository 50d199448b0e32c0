import type { DeviceDetail, ExecutionRow, ParameterDifferenceRow } from '@chargehand/contract';
import { useIsMutating, useMutation, useQuery } from '@tanstack/react-query';
import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Answer, call } from '../../../shared/api/client.ts';
import { queryOf, refresh } from '../../../shared/api/query.ts';
import { useMedia } from '../../../shared/hooks/use-media.ts';
import { useRequestKey } from '../../../shared/hooks/use-request-key.ts';
import { useNames } from '../../../shared/i18n/use-names.ts';
import { Dialog } from '../../../shared/ui/dialogs/dialog.tsx';
import { EmptyState } from '../../../shared/ui/states/empty-state.tsx';
import { ErrorState } from '../../../shared/ui/states/error-state.tsx';
import { SkeletonRows } from '../../../shared/ui/states/skeleton-rows.tsx';
import { chosenRows } from '../../../shared/ui/table/chosen-rows.tsx';
import type { Column } from '../../../shared/ui/table/column.ts';
import { Table } from '../../../shared/ui/table/table.tsx';
import { ResultTag } from '../../../shared/ui/tags/result-tag.tsx';
import { Breakable } from '../../../shared/ui/values/breakable.tsx';
import { ItemName } from '../../../shared/ui/values/item-name.tsx';
import { ItemValue } from '../../../shared/ui/values/item-value.tsx';
import { useExecutions } from '../executions/use-executions.ts';
import { VerificationMark } from '../executions/verification.tsx';
import css from '../operations.module.css';
import { ComparisonSide, sideOf } from './comparison-side.tsx';
import { parameterObstacle, shownParameter } from './parameter-state.ts';

/** The change that the dialog waits for. */
const SETTING = ['comparison', 'setParameters'];

interface Props {
  device: DeviceDetail;
  /** as in the URL */
  side: string;
  onSide(side: string): void;
  onClose(): void;
}

/**
 * The parameters of a device compared with another one or with a baseline. Differences can be set to the other value.
 */
export function ParameterComparison({ device, side: text, onSide, onClose }: Props) {
  const { t } = useTranslation('parameters');
  const side = sideOf(text);
  const pending = useIsMutating({ mutationKey: SETTING }) > 0;
  return (
    <Dialog
      title={t('compare.title', { name: device.name })}
      footer={null}
      width={920}
      pending={pending}
      onCancel={onClose}
    >
      <div className="stack">
        <ComparisonSide deviceId={device.id} side={side} onSide={onSide} />
        {side.id > 0 ? (
          <Differences key={text} device={device} side={side} />
        ) : (
          <EmptyState text={t('compare.choose')} />
        )}
      </div>
    </Dialog>
  );
}

type SetResult = Answer<'setParameters'>['results'][number];

function Differences({ device, side }: { device: DeviceDetail; side: ReturnType<typeof sideOf> }) {
  const { t } = useTranslation('parameters');
  const { t: operations } = useTranslation('operations');
  const { language } = useNames();
  const [onlyDifferent, setOnlyDifferent] = useState(true);
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const inOneCell = useMedia('(max-width: 760px)');
  const params = { id: device.id };
  const query = side.kind === 'device' ? { deviceId: side.id } : { baselineId: side.id };
  const comparison = useQuery(queryOf('compareParameters', { params, query }, { quiet: true }));
  const executions = useExecutions(device.id, 1, 100);
  const withKey = useRequestKey();
  const set = useMutation({
    mutationKey: SETTING,
    mutationFn: (values: { key: string; value: string }[]) =>
      withKey(values, (requestKey) => call('setParameters', { params, body: { values, requestKey } })),
    onSuccess: () => setChosen([]),
    onSettled: () => refresh('listExecutions', 'listParameters', 'compareParameters'),
  });
  const items = comparison.data?.items;
  if (comparison.isError && !items) {
    return <ErrorState error={comparison.error} onRetry={() => void comparison.refetch()} />;
  }
  if (!items) return <SkeletonRows rows={6} />;

  const different = items.filter(({ difference }) => difference !== 'same');
  const results = new Map(set.data?.results.map((result) => [result.key, result]));
  // Values that were set stay visible with their result, although they are now equal.
  const rows = onlyDifferent ? items.filter((row) => row.difference !== 'same' || results.has(row.key)) : items;
  const settable = rows.filter(({ key }) => chosen.includes(key));
  const obstacle = parameterObstacle(device, true);
  const name = ({ key, item }: ParameterDifferenceRow) => (
    <>
      <ItemName itemKey={key} name={item?.name ?? null} documentId={null} />
      {item && (
        <span className={css.parameterKey}>
          <Breakable text={key} />
        </span>
      )}
    </>
  );
  const value = ({ item }: ParameterDifferenceRow, text: string | null) => (
    <ItemValue shown={shownParameter(item, text, language)} raw={text ?? undefined} />
  );
  const state = ({ key, difference }: ParameterDifferenceRow) => {
    const result = results.get(key);
    if (result) return <SetResultTag result={result} executions={executions.data?.items ?? []} />;
    return <span data-difference={difference}>{t(`compare.${difference}`)}</span>;
  };
  const columns: Column<ParameterDifferenceRow>[] = [
    { title: operations('parameter.key'), render: (_, row) => name(row) },
    { title: t('compare.here'), width: '24%', render: (_, row) => value(row, row.here) },
    { title: t('compare.there'), width: '24%', render: (_, row) => value(row, row.there) },
    { title: t('compare.state'), width: 190, render: (_, row) => state(row) },
  ];
  const inOneColumn: typeof columns = [{ title: operations('parameter.key'), render: (_, row) => card(row) }];
  const check = chosenRows({
    rows,
    keyOf: ({ key }) => key,
    chosen,
    onChange: setChosen,
    labels: { all: t('compare.chooseAll'), of: ({ key }) => t('compare.chooseOne', { key }) },
    choosable: ({ settable: possible }) => possible,
  });
  const card = (row: ParameterDifferenceRow) => (
    <div className={css.rowCard}>
      <div>{name(row)}</div>
      <dl className={css.rowCardFacts}>
        <dt>{t('compare.here')}</dt>
        <dd>{value(row, row.here)}</dd>
        <dt>{t('compare.there')}</dt>
        <dd>{value(row, row.there)}</dd>
      </dl>
      <div>{state(row)}</div>
    </div>
  );

  return (
    <>
      <div className="field-row">
        <label className="check">
          <input type="checkbox" checked={onlyDifferent} onChange={(event) => setOnlyDifferent(event.target.checked)} />
          {t('compare.onlyDifferent')}
        </label>
        <span className="quiet" role="status">
          {t('compare.count', { different: different.length, all: items.length })}
        </span>
        <Button
          type="primary"
          className={css.comparisonSet}
          disabled={settable.length === 0 || obstacle !== null}
          title={obstacle ? operations(`obstacle.${obstacle}`) : undefined}
          loading={set.isPending}
          onClick={() =>
            set.mutate(settable.flatMap(({ key, there }) => (there === null ? [] : [{ key, value: there }])))
          }
        >
          {t('compare.set', { count: settable.length })}
        </Button>
      </div>
      <Table<ParameterDifferenceRow>
        label={t('compare.table')}
        rowKey="key"
        // The header is also needed on a phone, because it contains the checkbox for all rows.
        columns={[check, ...(inOneCell ? inOneColumn : columns)]}
        rows={rows}
        scrollHeight="52vh"
        scrollWidth={inOneCell ? undefined : 620}
        empty={<EmptyState text={t(items.length > 0 ? 'compare.equal' : 'compare.none')} />}
      />
    </>
  );
}

/** The result of setting one parameter: rejected, or a command with its progress. */
function SetResultTag({ result, executions }: { result: SetResult; executions: readonly ExecutionRow[] }) {
  const execution = executions.find(({ id }) => id === result.executionId);
  if (result.executionId === null) return <span className={css.parameterProblem}>{result.message}</span>;
  if (!execution) return <ResultTag execution={{ state: 'queued', outcome: 1 }} />;
  return execution.verification ? <VerificationMark execution={execution} /> : <ResultTag execution={execution} />;
}
