import type { ActionLogRow, LogFile } from '@chargehand/contract';
import { OPERATIONS } from '@chargehand/contract/constants';
import { type Levels, mayDownloadUsers } from '@chargehand/domain';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { Static } from 'typebox';
import { download } from '../../../shared/api/client.ts';
import { useLongList } from '../../../shared/hooks/lists/use-list.ts';
import { useConnectorName } from '../../../shared/hooks/use-connector-name.ts';
import { useTabLabel } from '../../../shared/hooks/use-tab-label.ts';
import type { ListSpec, WholeQuery } from '../../../shared/lib/lists/list-query.ts';
import { useUser } from '../../../shared/session/use-user.ts';
import type { DataColumn } from '../../../shared/ui/list-page/data-table.tsx';
import { FilterSelect } from '../../../shared/ui/list-page/filter-bar.tsx';
import { FilterText } from '../../../shared/ui/list-page/filter-inputs.tsx';
import { CardLine, ListCard } from '../../../shared/ui/list-page/list-card.tsx';
import { ListSection } from '../../../shared/ui/list-page/list-page.tsx';
import { SitePicker } from '../../../shared/ui/list-page/pickers.tsx';
import { ExactTime } from '../../../shared/ui/values/time-ago.tsx';
import { FileChoice } from '../file-choice.tsx';
import { LOG_FILTERS, LogFilters } from '../log-filters.tsx';
import css from '../logs.module.css';
import { ActionDetail } from './action-detail.tsx';
import { Actor } from './actor.tsx';
import { ObjectLink } from './object-link.tsx';
import { OBJECTS } from './objects.ts';
import { useFieldWord, useKindWord } from './use-field-word.ts';
import { useObjectWord } from './use-object-word.ts';

type Action = Static<typeof ActionLogRow>;

const filters = {
  ...LOG_FILTERS,
  applicationName: 'text',
  operation: OPERATIONS,
  type: 'text',
  search: 'text',
  siteId: 'number',
} as const;
const SPEC: ListSpec<typeof filters, never> = { filters, sorts: [] };
type Query = WholeQuery<typeof filters, never>;

/** Who changed or controlled what. With an object, only its own history. */
export function ActionLogs({ objectType, objectId }: { objectType?: string; objectId?: string | undefined }) {
  const { t } = useTranslation('audit');
  const objectWord = useObjectWord();
  // An entry does not contain the protocol of its device. Numbers that only occur with EVSEs are still recognized.
  const connectorName = useConnectorName(null);
  const fieldWord = useFieldWord();
  const kindWord = useKindWord();
  const gist = (action: Action) => summaryOf(action, connectorName, fieldWord, kindWord);
  const mayExport = mayDownloadUsers(useUser().info.role.levels as Levels);
  const wanted = ({ type, ...query }: Query) => ({
    ...query,
    objectId,
    objectType: objectType ?? type,
  });
  const list = useLongList(SPEC, 'listActionLogs', 'before', wanted);
  const [open, setOpen] = useState<Action | null>(null);
  const [format, setFormat] = useState<LogFile>('xlsx');
  const newest = list.rows.data?.items[0];
  useTabLabel(objectType && newest?.objectName);

  const columns: DataColumn<Action, never>[] = [
    {
      name: 'at',
      always: true,
      title: t('log.at'),
      width: 160,
      render: (_, action) => <ExactTime at={action.at} />,
    },
    { name: 'user', title: t('log.user'), render: (_, action) => <Actor action={action} /> },
    {
      name: 'operation',
      title: t('log.operation'),
      render: (_, action) => (
        <span className={css.logOperation} data-operation={action.operation}>
          {t(`operations.${action.operation}`)}
        </span>
      ),
    },
    {
      name: 'object',
      title: t('log.object'),
      render: (_, action) => <ObjectOf action={action} />,
    },
    {
      name: 'summary',
      title: t('log.summary'),
      render: (_, action) => <span className={css.logSummary}>{gist(action)}</span>,
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
        <p className={css.logSubject}>
          {objectWord(objectType)}{' '}
          <strong>
            <ObjectLink type={objectType} id={objectId ?? ''} name={newest?.objectName ?? objectId ?? ''} />
          </strong>{' '}
          <Link to="/manage/logs/action?tab=actions">{t('log.showAll')}</Link>
        </p>
      )}
      <ListSection
        label={t('actions')}
        list={list}
        filters={
          <LogFilters list={list}>
            <FilterText
              label={t('log.application')}
              placeholder={t('log.applicationBeginning')}
              {...list.field('applicationName')}
            />
            <FilterSelect
              label={t('log.operation')}
              options={OPERATIONS.map((value) => ({ value, label: t(`operations.${value}`) }))}
              {...list.field('operation')}
            />
            {objectType === undefined && (
              <>
                <FilterSelect
                  label={t('log.objectType')}
                  options={Object.keys(OBJECTS).map((value) => ({ value, label: objectWord(value) }))}
                  {...list.field('type')}
                />
                <FilterText label={t('log.object')} {...list.field('search')} />
                <SitePicker customerId={list.query.customerId} placeholder={t('log.site')} {...list.field('siteId')} />
              </>
            )}
            {mayExport && <FileChoice value={format} onChange={setFormat} />}
          </LogFilters>
        }
        onExport={
          mayExport
            ? (query, options) => download('exportActionLogs', { query: { ...wanted(query), format } }, options)
            : undefined
        }
        keep="actionLogs"
        columns={columns}
        empty={t('log.noActions')}
        onOpen={setOpen}
        compact={(action) => (
          <ListCard
            title={<ObjectOf action={action} />}
            aside={
              <span className={css.logOperation} data-operation={action.operation}>
                {t(`operations.${action.operation}`)}
              </span>
            }
          >
            <span className={css.logSummary}>{gist(action)}</span>
            <CardLine end={<ExactTime at={action.at} />}>
              <Actor action={action} />
            </CardLine>
          </ListCard>
        )}
      />
      <ActionDetail action={open} onClose={() => setOpen(null)} />
    </div>
  );
}

/** The object of an entry; for several entries, how many there are. */
function ObjectOf({ action }: { action: Action }) {
  const { t } = useTranslation('audit');
  const objectWord = useObjectWord();
  const kind = <span className="quiet">{objectWord(action.objectType)}</span>;
  if (action.together === 1) {
    return (
      <>
        {action.objectName} {kind}
      </>
    );
  }
  return (
    <>
      {t('log.together', { name: action.objectName, count: action.together - 1 })} {kind}
    </>
  );
}

/** A summary of an action in one line. */
function summaryOf(
  action: Action,
  connectorName: (connector: number) => string,
  fieldWord: (field: string) => string,
  kindWord: (kind: string) => string,
): string {
  const after = (action.after ?? {}) as Record<string, unknown>;
  if (action.operation === 'control') {
    const value = after.value === undefined ? '' : ` = ${after.value}`;
    const place = typeof after.connector === 'number' && after.connector > 0 && connectorName(after.connector);
    return [kindWord(String(after.kind ?? '')), place, after.key && `${after.key}${value}`].filter(Boolean).join(' ');
  }
  if (action.operation === 'edit') return Object.keys(after).map(fieldWord).join(', ');
  return '';
}
