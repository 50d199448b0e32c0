import type { ActionLogRow } from '@chargehand/contract';
import { Drawer, Select, type TableColumnType } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useSearchParams } from 'react-router';
import type { Static } from 'typebox';
import { call } from '../../shared/api/client.ts';
import { Permitted } from '../../shared/session/permitted.tsx';
import { Describe } from '../../shared/ui/describe.tsx';
import { ExactTime } from '../../shared/ui/time-ago.tsx';
import { DifferenceTable } from './difference-table.tsx';
import { LogTable } from './log-table.tsx';
import { useLog } from './use-log.ts';
import './logs.css';

type Action = Static<typeof ActionLogRow>;
const OPERATIONS = ['new', 'edit', 'delete', 'disable', 'enable', 'control'] as const satisfies Action['operation'][];

/** Who changed or controlled what; with an object, only what was done to it. */
export function ActionLogs({ objectType, objectId }: { objectType?: string; objectId?: string | undefined }) {
  const { t } = useTranslation('audit');
  const [search, setSearch] = useSearchParams();
  const operation = OPERATIONS.find((one) => one === search.get('operation'));
  const log = useLog('listActionLogs', { operation, objectType, objectId }, (stretch, signal) =>
    call('listActionLogs', { query: { ...stretch, operation, objectType, objectId } }, { signal, quiet: true }),
  );
  const [open, setOpen] = useState<Action | null>(null);

  const columns: TableColumnType<Action>[] = [
    { title: t('log.at'), width: 160, render: (_, action) => <ExactTime at={action.at} /> },
    { title: t('log.user'), dataIndex: 'userName' },
    {
      title: t('log.operation'),
      render: (_, action) => (
        <span className="log-operation" data-operation={action.operation}>
          {t(`operations.${action.operation}`)}
        </span>
      ),
    },
    {
      title: t('log.object'),
      render: (_, action) => (
        <>
          {action.objectName} <span className="quiet">{objectWord(action.objectType, t)}</span>
        </>
      ),
    },
    {
      title: t('log.summary'),
      render: (_, action) => <span className="log-summary">{summaryOf(action)}</span>,
    },
    { title: t('log.address'), render: (_, action) => <span className="mono">{action.address}</span> },
  ];

  return (
    <div className="stack">
      <div className="field-row">
        <Select
          className="log-filter"
          allowClear
          value={operation}
          placeholder={t('log.operation')}
          aria-label={t('log.operation')}
          options={OPERATIONS.map((one) => ({ value: one, label: t(`operations.${one}`) }))}
          onChange={(next: string | undefined) =>
            setSearch((before) => {
              const params = new URLSearchParams(before);
              if (next) params.set('operation', next);
              else params.delete('operation');
              return params;
            })
          }
        />
        {objectType !== undefined && (
          <span className="quiet">
            {t('log.only', { object: `${objectWord(objectType, t)} ${objectId ?? ''}` })}{' '}
            <Link to="/manage/logs/action">{t('log.showAll')}</Link>
          </span>
        )}
      </div>
      <LogTable label={t('actions')} log={log} columns={columns} empty={t('log.noActions')} onOpen={setOpen} />
      <Drawer
        open={open !== null}
        onClose={() => setOpen(null)}
        size={620}
        styles={{ wrapper: { maxWidth: '100vw' } }}
        title={open ? `${t(`operations.${open.operation}`)} · ${open.objectName}` : ''}
      >
        {open && (
          <div className="stack">
            <Describe
              items={[
                { key: 'at', label: t('log.at'), value: <ExactTime at={open.at} /> },
                { key: 'user', label: t('log.user'), value: open.userName },
                { key: 'address', label: t('log.address'), value: <span className="mono">{open.address}</span> },
                {
                  key: 'object',
                  label: t('log.object'),
                  value:
                    open.objectType === 'device' && open.operation !== 'delete' ? (
                      <Permitted codes={['auth_device_detail']}>
                        <Link to={`/manage/device/detail/${open.objectId}`}>{open.objectName}</Link>
                      </Permitted>
                    ) : (
                      open.objectName
                    ),
                },
              ]}
            />
            <DifferenceTable before={open.before} after={open.after} />
          </div>
        )}
      </Drawer>
    </div>
  );
}

const OBJECTS = ['device', 'site', 'customer', 'role', 'user', 'deviceModel', 'blacklistEntry'] as const;

/** What kind of thing it was done to, in words; a kind without a word is shown as it came. */
function objectWord(type: string, t: ReturnType<typeof useTranslation<'audit'>>['t']): string {
  const known = OBJECTS.find((one) => one === type);
  return known ? t(`objects.${known}`) : type;
}

/** The gist of an action in one line. */
function summaryOf(action: Action): string {
  const after = (action.after ?? {}) as Record<string, unknown>;
  if (action.operation === 'control') {
    const value = after.value === undefined ? '' : ` = ${after.value}`;
    return [after.kind, after.connector && `#${after.connector}`, after.key && `${after.key}${value}`]
      .filter(Boolean)
      .join(' ');
  }
  if (action.operation === 'edit') return Object.keys(after).join(', ');
  return '';
}
