import { HistoryOutlined, ReloadOutlined } from '@ant-design/icons';
import type { CodeExplanation, DeviceDetail, ParameterRow } from '@chargehand/contract';
import { DOCUMENT_TYPES } from '@chargehand/domain';
import { useQuery } from '@tanstack/react-query';
import { Button, Input } from 'antd';
import { lazy, Suspense, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { queryOf } from '../../../shared/api/query.ts';
import { useChanged } from '../../../shared/hooks/lists/use-changed.ts';
import { useMedia } from '../../../shared/hooks/use-media.ts';
import { useNames } from '../../../shared/i18n/use-names.ts';
import { loadChunk } from '../../../shared/lib/browser/load-chunk.ts';
import { useUser } from '../../../shared/session/use-user.ts';
import { ExplanationButton } from '../../../shared/ui/explanations/explanation.tsx';
import { useExplanations } from '../../../shared/ui/explanations/use-explanations.ts';
import { Panel } from '../../../shared/ui/page/page-header.tsx';
import { EmptyState } from '../../../shared/ui/states/empty-state.tsx';
import { ErrorState } from '../../../shared/ui/states/error-state.tsx';
import { SkeletonRows } from '../../../shared/ui/states/skeleton-rows.tsx';
import type { Column } from '../../../shared/ui/table/column.ts';
import { Table } from '../../../shared/ui/table/table.tsx';
import { Breakable } from '../../../shared/ui/values/breakable.tsx';
import { ItemName } from '../../../shared/ui/values/item-name.tsx';
import { TimeAgo } from '../../../shared/ui/values/time-ago.tsx';
import { obstacleOf } from '../commands/command-state.ts';
import css from '../operations.module.css';
import {
  linesOf,
  newestRead,
  type OpenPanel,
  PANELS,
  type ParameterLine,
  parameterObstacle,
  shownParameter,
} from './parameter-state.ts';
import { ParameterValue } from './parameter-value.tsx';
import { showError, useParameterCommands } from './use-parameter-commands.ts';

const ParameterPanel = lazy(() => loadChunk(() => import('./parameter-panel.tsx')));

/** The parameters of a device in the order of its model: read, set, history, compare. */
export function Parameters({ device }: { device: DeviceDetail }) {
  const { t } = useTranslation('operations');
  const { t: words } = useTranslation('parameters');
  const { nameOf, language } = useNames();
  const [search, setSearch] = useState('');
  const [writable, setWritable] = useState(false);
  const [place, setPlace] = useSearchParams();
  const parameters = useQuery(queryOf('listParameters', { params: { id: device.id } }, { quiet: true }));
  const { send, waiting } = useParameterCommands(device.id);
  const narrow = useMedia('(max-width: 760px)');
  const all = parameters.data?.items;
  const explanationOf = useExplanations(
    DOCUMENT_TYPES.config,
    (all ?? []).map(({ key, item }) => item?.key ?? key),
    device.deviceModelId,
  );
  const name = (row: ParameterRow) => (
    <Name row={row} explanation={explanationOf(row.item?.key ?? row.key)} deviceModelId={device.deviceModelId} />
  );
  const changed = useChanged(
    useMemo(() => all?.map((row) => ({ ...row, id: row.key })), [all]),
    ({ value, readonly }) => `${value}|${readonly}`,
  );
  const obstacle = obstacleOf(device, 'refreshParameters');
  // Users of a read-only customer see parameters but send no commands, and reading from the device is a command.
  const reads = !useUser().user.readOnly;
  const wanted = search.trim().toLowerCase();
  const rows = all?.filter((row) => {
    if (writable && (row.readonly || row.secret)) return false;
    const { item, value, key } = row;
    const texts = [key, value ?? '', item ? nameOf(item.name) : '', shownParameter(item, value, language)?.text ?? ''];
    return texts.some((text) => text.toLowerCase().includes(wanted));
  });
  const open = (panel: OpenPanel | null, what = '') =>
    setPlace(
      (before) => {
        const next = new URLSearchParams(before);
        for (const one of PANELS) next.delete(one);
        if (panel) next.set(panel, what);
        return next;
      },
      { replace: true },
    );
  /** The device has reported other parameters, but not this one. */
  const missing = (row: ParameterRow) => row.readAt === null && all?.some(({ readAt }) => readAt !== null) === true;
  const set = (key: string, value: string) => send({ kind: 'setParameter', key, value });
  const heading = (line: ParameterLine) => (line.kind === 'group' ? { colSpan: 0 } : {});
  const groupName = (line: ParameterLine) =>
    line.kind === 'group' && (line.name ? nameOf(line.name) : words('undescribed'));
  const value = (row: ParameterRow) =>
    missing(row) ? (
      <span className="quiet">{words('notReported')}</span>
    ) : (
      <ParameterValue
        parameter={row}
        waiting={waiting.keys.has(row.key)}
        obstacle={parameterObstacle(device, row.may.set)}
        onSet={(next) => set(row.key, next)}
      />
    );
  const actions = ({ key, secret }: ParameterRow) => (
    <span className={css.parameterActions}>
      <Button
        type="text"
        size="small"
        icon={<HistoryOutlined aria-hidden="true" />}
        title={words('history.of', { key })}
        aria-label={words('history.of', { key })}
        disabled={secret}
        onClick={() => open('history', key)}
      />
      {reads && (
        <Button
          type="text"
          size="small"
          icon={<ReloadOutlined aria-hidden="true" />}
          title={t('parameter.readOne', { key })}
          aria-label={t('parameter.readOne', { key })}
          disabled={parameterObstacle(device, true) !== null}
          loading={waiting.keys.has(key)}
          onClick={() => void send({ kind: 'refreshParameters', key }).catch(showError)}
        />
      )}
    </span>
  );
  const columns: Column<ParameterLine>[] = [
    {
      title: t('parameter.key'),
      width: '38%',
      onCell: (line) => (line.kind === 'group' ? { colSpan: 4, className: 'parameter-group' } : {}),
      render: (_, line) => (line.kind === 'group' ? groupName(line) : name(line.row)),
    },
    {
      title: t('parameter.value'),
      onCell: heading,
      render: (_, line) => line.kind === 'parameter' && value(line.row),
    },
    {
      title: t('parameter.readAt'),
      width: 112,
      onCell: heading,
      render: (_, line) =>
        line.kind === 'parameter' &&
        (line.row.readAt === null && !missing(line.row) ? (
          <span className="quiet">{words('notRead')}</span>
        ) : (
          <TimeAgo at={line.row.readAt} />
        )),
    },
    {
      title: <span className="visually-hidden">{t('parameter.read')}</span>,
      width: 76,
      align: 'end',
      onCell: heading,
      render: (_, line) => line.kind === 'parameter' && actions(line.row),
    },
  ];
  // On a phone the value is below its name. The time of the last read is in the history.
  const inOneCell: Column<ParameterLine>[] = [
    {
      key: 'row',
      onCell: ({ kind }) => (kind === 'group' ? { className: 'parameter-group' } : {}),
      render: (_, line) =>
        line.kind === 'group' ? (
          groupName(line)
        ) : (
          <div className={css.rowCard}>
            <div className={css.rowCardLine}>
              <div>{name(line.row)}</div>
              {actions(line.row)}
            </div>
            {value(line.row)}
          </div>
        ),
    },
  ];
  const [panel] = PANELS.filter((one) => place.has(one));
  const readAt = newestRead(all ?? []);
  const readAll = reads && (
    <Button
      type={readAt === null ? 'primary' : 'default'}
      disabled={obstacle !== null}
      loading={waiting.all}
      title={obstacle ? t(`obstacle.${obstacle}`) : undefined}
      onClick={() => void send({ kind: 'refreshParameters' }).catch(showError)}
    >
      {t(readAt === null ? 'kinds.refreshParameters.do' : 'parameter.readAll')}
    </Button>
  );
  if (all && readAt === null && panel === undefined) {
    const empty = waiting.all ? 'reading' : obstacle === 'offline' ? 'noneOffline' : 'none';
    return (
      <Panel title={t('parameters')}>
        <EmptyState text={t(`parameter.${empty}`)} action={readAll} />
      </Panel>
    );
  }

  return (
    <Panel
      title={t('parameters')}
      extra={
        <div className="field-row">
          {readAt !== null && (
            <span className="quiet">
              {t('parameter.readAt')} <TimeAgo at={readAt} />
            </span>
          )}
          <Input.Search
            className={css.parameterSearch}
            allowClear
            value={search}
            placeholder={t('parameter.search')}
            aria-label={t('parameter.search')}
            onChange={(event) => setSearch(event.target.value)}
          />
          <label className="check">
            <input type="checkbox" checked={writable} onChange={(event) => setWritable(event.target.checked)} />
            {t('parameter.writable')}
          </label>
          <Button onClick={() => open('baselines')}>{words('baseline.title')}</Button>
          <Button onClick={() => open('compare')}>{words('compare.open')}</Button>
          <Button onClick={() => open('history')}>{words('history.open')}</Button>
          {readAll}
        </div>
      }
    >
      {parameters.isError && !all ? (
        <ErrorState error={parameters.error} onRetry={() => void parameters.refetch()} />
      ) : !rows ? (
        <SkeletonRows rows={6} />
      ) : (
        <Table<ParameterLine>
          className={css.flushTable}
          label={t('parameters')}
          rowKey="key"
          showHeader={!narrow}
          columns={narrow ? inOneCell : columns}
          rows={linesOf(rows)}
          scrollWidth={narrow ? undefined : 560}
          layout="fixed"
          rowClassName={(line) => (changed.has(line.key) ? 'row-changed' : '')}
          empty={<EmptyState text={t(all?.length ? 'parameter.noMatch' : 'parameter.none')} />}
        />
      )}
      <Suspense>
        {panel && (
          <ParameterPanel
            device={device}
            parameters={all ?? []}
            panel={panel}
            what={place.get(panel) ?? ''}
            onOpen={open}
            onSet={set}
          />
        )}
      </Suspense>
    </Panel>
  );
}

interface NameProps {
  row: ParameterRow;
  explanation: CodeExplanation | undefined;
  deviceModelId: number;
}

function Name({ row: { key, item, documentId }, explanation, deviceModelId }: NameProps) {
  return (
    <>
      <ItemName itemKey={key} name={item?.name ?? null} documentId={documentId} />
      <ExplanationButton of={explanation} type={DOCUMENT_TYPES.config} deviceModelId={deviceModelId} />
      {item && (
        <span className={css.parameterKey}>
          <Breakable text={key} />
        </span>
      )}
    </>
  );
}
