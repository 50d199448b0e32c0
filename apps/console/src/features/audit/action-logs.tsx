import { type ActionLogRow, OPERATIONS } from '@chargehand/contract';
import { type Levels, mayDownloadUsers } from '@chargehand/domain';
import { Input, Select } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { Static } from 'typebox';
import { call, download } from '../../shared/api/client.ts';
import { useConnectorName } from '../../shared/hooks/use-connector-name.ts';
import { useListQuery } from '../../shared/hooks/use-list-query.ts';
import { useTyped } from '../../shared/hooks/use-typed.ts';
import type { ListSpec } from '../../shared/lib/list-query.ts';
import { useUser } from '../../shared/session/use-user.ts';
import { ExportButton } from '../../shared/ui/export-button.tsx';
import { SitePicker } from '../../shared/ui/pickers.tsx';
import { ExactTime } from '../../shared/ui/time-ago.tsx';
import { ActionDetail, ObjectLink } from './action-detail.tsx';
import { calledWith, LogFilters } from './log-filters.tsx';
import { type LogColumn, LogTable } from './log-table.tsx';
import { OBJECTS } from './objects.ts';
import { useFieldWord } from './use-field-word.ts';
import { useLog } from './use-log.ts';
import { useObjectWord } from './use-object-word.ts';
import './logs.css';

type Action = Static<typeof ActionLogRow>;

const filters = {
  userName: 'text',
  operation: 'text',
  type: 'text',
  search: 'text',
  customerId: 'number',
  siteId: 'number',
  from: 'text',
  to: 'text',
} as const;
const SPEC: ListSpec<typeof filters, never> = { filters, sorts: [] };

/** Who changed or controlled what; with an object, only what was done to it: its history. */
export function ActionLogs({ objectType, objectId }: { objectType?: string; objectId?: string | undefined }) {
  const { t } = useTranslation('audit');
  const objectWord = useObjectWord();
  // An entry does not keep what its device spoke: numbers that only EVSEs have are told from others all the same.
  const connectorName = useConnectorName(null);
  const fieldWord = useFieldWord();
  const gist = (action: Action) => summaryOf(action, connectorName, fieldWord);
  const mayExport = mayDownloadUsers(useUser().info.role.levels as Levels);
  const list = useListQuery(SPEC);
  const { customerId, siteId, search, type } = list.query;
  const operation = OPERATIONS.find((one) => one === list.query.operation);
  const narrowed = {
    ...calledWith(list.query),
    ...{ operation, search, siteId, objectId },
    objectType: objectType ?? type,
  };
  const log = useLog('listActionLogs', narrowed, (stretch, signal) =>
    call('listActionLogs', { query: { ...stretch, ...narrowed } }, { signal, quiet: true }),
  );
  const typed = useTyped(search ?? '', (text) => list.change({ search: text || undefined }));
  const [open, setOpen] = useState<Action | null>(null);
  const newest = log.data?.pages[0]?.items[0];

  const columns: LogColumn<Action>[] = [
    {
      name: 'at',
      always: true,
      title: t('log.at'),
      width: 160,
      render: (_, action) => <ExactTime at={action.at} />,
    },
    { name: 'user', title: t('log.user'), dataIndex: 'userName' },
    {
      name: 'operation',
      title: t('log.operation'),
      render: (_, action) => (
        <span className="log-operation" data-operation={action.operation}>
          {t(`operations.${action.operation}`)}
        </span>
      ),
    },
    {
      name: 'object',
      title: t('log.object'),
      render: (_, action) => (
        <>
          {action.objectName} <span className="quiet">{objectWord(action.objectType)}</span>
        </>
      ),
    },
    {
      name: 'summary',
      title: t('log.summary'),
      render: (_, action) => <span className="log-summary">{gist(action)}</span>,
    },
    {
      name: 'address',
      title: t('log.address'),
      render: (_, action) => <span className="mono">{action.address}</span>,
    },
  ];

  return (
    <div className="stack">
      {objectType !== undefined && (
        <p className="log-subject">
          {objectWord(objectType)}{' '}
          <strong>
            <ObjectLink type={objectType} id={objectId ?? ''} name={newest?.objectName ?? objectId ?? ''} />
          </strong>{' '}
          <Link to="/manage/logs/action">{t('log.showAll')}</Link>
        </p>
      )}
      <div className="log-bar">
        <LogFilters filters={list.query} filtered={list.filtered} change={list.change} clear={list.clear}>
          <Select
            allowClear
            value={operation}
            placeholder={t('log.operation')}
            aria-label={t('log.operation')}
            options={OPERATIONS.map((one) => ({ value: one, label: t(`operations.${one}`) }))}
            onChange={(next: string | undefined) => list.change({ operation: next })}
          />
          {objectType === undefined && (
            <>
              <Select
                allowClear
                value={type}
                placeholder={t('log.objectType')}
                aria-label={t('log.objectType')}
                options={Object.keys(OBJECTS).map((one) => ({ value: one, label: objectWord(one) }))}
                onChange={(next: string | undefined) => list.change({ type: next })}
              />
              <Input
                className="log-name"
                allowClear
                value={typed.text}
                placeholder={t('log.object')}
                aria-label={t('log.object')}
                onChange={(event) => typed.type(event.target.value)}
                onPressEnter={() => typed.settleNow(typed.text)}
              />
              <SitePicker
                value={siteId}
                customerId={customerId}
                placeholder={t('log.site')}
                onChange={(id) => list.change({ siteId: id })}
              />
            </>
          )}
        </LogFilters>
        {mayExport && <ExportButton fetch={(options) => download('exportActionLogs', { query: narrowed }, options)} />}
      </div>
      <LogTable
        label={t('actions')}
        keep="actionLogs"
        log={log}
        columns={columns}
        empty={t('log.noActions')}
        filtered={list.filtered}
        onClear={list.clear}
        onOpen={setOpen}
        compact={(action) => (
          <div className="log-card">
            <span className="log-card-line">
              <span className="log-operation" data-operation={action.operation}>
                {t(`operations.${action.operation}`)}
              </span>
              <strong>{action.objectName}</strong>
              <span className="quiet">{objectWord(action.objectType)}</span>
            </span>
            <span className="log-summary">{gist(action)}</span>
            <span className="log-card-line quiet">
              <span>{action.userName}</span>
              <ExactTime at={action.at} />
            </span>
          </div>
        )}
      />
      <ActionDetail action={open} onClose={() => setOpen(null)} />
    </div>
  );
}

/** The gist of an action in one line. */
function summaryOf(
  action: Action,
  connectorName: (connector: number) => string,
  fieldWord: (field: string) => string,
): string {
  const after = (action.after ?? {}) as Record<string, unknown>;
  if (action.operation === 'control') {
    const value = after.value === undefined ? '' : ` = ${after.value}`;
    const place = typeof after.connector === 'number' && after.connector > 0 && connectorName(after.connector);
    return [after.kind, place, after.key && `${after.key}${value}`].filter(Boolean).join(' ');
  }
  if (action.operation === 'edit') return Object.keys(after).map(fieldWord).join(', ');
  return '';
}
