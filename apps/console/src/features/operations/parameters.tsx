import { ReloadOutlined } from '@ant-design/icons';
import type { DeviceDetail, ExecutionRow, NewCommand, ParameterRow } from '@chargehand/contract';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Button, Input, Table, type TableColumnType } from 'antd';
import { useEffect, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../shared/api/client.ts';
import { ApiProblem } from '../../shared/api/problem.ts';
import { queryOf, refresh } from '../../shared/api/query.ts';
import { useChanged } from '../../shared/hooks/use-changed.ts';
import { EmptyState } from '../../shared/ui/empty-state.tsx';
import { ErrorState } from '../../shared/ui/error-state.tsx';
import { Panel } from '../../shared/ui/page-header.tsx';
import { SkeletonRows } from '../../shared/ui/skeleton-rows.tsx';
import { TimeAgo } from '../../shared/ui/time-ago.tsx';
import { toast } from '../../shared/ui/toast.ts';
import { obstacleOf, resultOf, waitingKeys } from './command-state.ts';
import { ParameterValue } from './parameter-value.tsx';
import { useExecutions } from './use-executions.ts';
import { useReason } from './use-reason.ts';

/** The parameters of a device as it last told them: read all, read one, set one. */
export function Parameters({ device }: { device: DeviceDetail }) {
  const { t } = useTranslation('operations');
  const [search, setSearch] = useState('');
  const [writable, setWritable] = useState(false);
  const parameters = useQuery(queryOf('listParameters', { params: { id: device.id } }, { quiet: true }));
  const { send, waiting } = useParameterCommands(device.id);
  const all = parameters.data?.items;
  const changed = useChanged(
    useMemo(() => all?.map((row) => ({ ...row, id: row.key })), [all]),
    ({ value, readonly }) => `${value}|${readonly}`,
  );
  const obstacle = obstacleOf(device, 'refreshParameters');
  const wanted = search.trim().toLowerCase();
  const rows = all?.filter(
    (row) =>
      !(writable && row.readonly) &&
      (row.key.toLowerCase().includes(wanted) || (row.value ?? '').toLowerCase().includes(wanted)),
  );

  const columns: TableColumnType<ParameterRow>[] = [
    { title: t('parameter.key'), width: '34%', render: (_, row) => <span className="mono">{row.key}</span> },
    {
      title: t('parameter.value'),
      render: (_, row) => (
        <ParameterValue
          parameter={row}
          waiting={waiting.keys.has(row.key)}
          obstacle={obstacleOf(device, 'setParameter')}
          onSet={(value) => send({ kind: 'setParameter', key: row.key, value })}
        />
      ),
    },
    { title: t('parameter.readAt'), width: 120, render: (_, row) => <TimeAgo at={row.readAt} /> },
    {
      title: <span className="visually-hidden">{t('parameter.read')}</span>,
      width: 44,
      align: 'end',
      render: (_, row) => (
        <Button
          type="text"
          size="small"
          icon={<ReloadOutlined aria-hidden="true" />}
          title={t('parameter.readOne', { key: row.key })}
          aria-label={t('parameter.readOne', { key: row.key })}
          disabled={obstacle !== null}
          loading={waiting.keys.has(row.key)}
          onClick={() => void send({ kind: 'refreshParameters', key: row.key }).catch(told)}
        />
      ),
    },
  ];

  return (
    <Panel
      title={t('parameters')}
      extra={
        <div className="field-row">
          <Input.Search
            className="parameter-search"
            allowClear
            value={search}
            placeholder={t('parameter.search')}
            aria-label={t('parameter.search')}
            onChange={(event) => setSearch(event.target.value)}
          />
          <label className="parameter-check">
            <input type="checkbox" checked={writable} onChange={(event) => setWritable(event.target.checked)} />
            {t('parameter.writable')}
          </label>
          <Button
            disabled={obstacle !== null}
            loading={waiting.all}
            title={obstacle ? t(`obstacle.${obstacle}`) : undefined}
            onClick={() => void send({ kind: 'refreshParameters' }).catch(told)}
          >
            {t('parameter.readAll')}
          </Button>
        </div>
      }
    >
      {parameters.isError && !all ? (
        <ErrorState error={parameters.error} onRetry={() => void parameters.refetch()} />
      ) : !rows ? (
        <SkeletonRows rows={6} />
      ) : (
        <Table<ParameterRow>
          className="flush-table"
          aria-label={t('parameters')}
          size="small"
          rowKey="key"
          columns={columns}
          dataSource={rows}
          pagination={false}
          scroll={{ x: 560 }}
          rowClassName={(row) => (changed.has(row.key) ? 'row-changed' : '')}
          locale={{ emptyText: <EmptyState text={t(all?.length ? 'parameter.noMatch' : 'parameter.none')} /> }}
        />
      )}
    </Panel>
  );
}

/** Gives commands about parameters, tells which wait, and says how those given here ended. */
function useParameterCommands(deviceId: number) {
  const { t } = useTranslation('operations');
  const executions = useExecutions(deviceId);
  const reasonOf = useReason();
  const [given, setGiven] = useState<readonly string[]>([]);
  const sending = useMutation({
    mutationFn: (command: NewCommand) =>
      call('sendCommand', { params: { id: deviceId }, body: command }, { quiet: true }),
    onSettled: () => refresh('listExecutions'),
  });
  const items = executions.data?.items;
  const over = items?.find(({ id, state }) => state === 'ended' && given.includes(id));

  useEffect(() => {
    if (!over) return;
    setGiven((before) => before.filter((id) => id !== over.id));
    say(over, `${t(`kinds.${over.kind}.do`)} · ${[reasonOf(over), over.detail].filter(Boolean).join(' ')}`);
    void refresh('listParameters');
  }, [over, t, reasonOf]);

  return {
    waiting: waitingKeys(items ?? []),
    async send(command: NewCommand): Promise<void> {
      const execution = await sending.mutateAsync(command).catch((error: Error) => {
        if (command.kind !== 'setParameter') toast.error(error.message);
        throw error;
      });
      setGiven((before) => [...before, execution.id]);
    },
  };
}

function say(execution: ExecutionRow, text: string): void {
  if (resultOf(execution) === 'success') toast.success(text);
  else toast.error(text);
}

/** A refusal has been shown already; what is not a refusal is a fault of ours. */
function told(error: unknown): void {
  if (!(error instanceof ApiProblem)) throw error;
}
