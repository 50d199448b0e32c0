import type { DeviceListRow } from '@chargehand/contract';
import { POLL_MS } from '@chargehand/contract/constants';
import { useMutation } from '@tanstack/react-query';
import { Button } from 'antd';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { call } from '../../shared/api/client.ts';
import { refresh } from '../../shared/api/query.ts';
import { useList } from '../../shared/hooks/lists/use-list.ts';
import type { ListSpec } from '../../shared/lib/lists/list-query.ts';
import { toast } from '../../shared/ui/dialogs/toast.ts';
import type { DataColumn } from '../../shared/ui/list-page/data-table.tsx';
import { FilterSelect } from '../../shared/ui/list-page/filter-bar.tsx';
import { CardLine, ListCard } from '../../shared/ui/list-page/list-card.tsx';
import { ListSection } from '../../shared/ui/list-page/list-page.tsx';
import { SitePicker } from '../../shared/ui/list-page/pickers.tsx';
import { Tag } from '../../shared/ui/tags/tag.tsx';
import { Dash, TimeAgo } from '../../shared/ui/values/time-ago.tsx';
import css from './tokens.module.css';

const SORTS = ['sn', 'equalAt'] as const;
const STATES = ['equal', 'sending', 'waiting', 'failed', 'off', 'unsupported'] as const;
const filters = { search: 'text', siteId: 'number', listState: STATES } as const;
const SPEC: ListSpec<typeof filters, (typeof SORTS)[number]> = { filters, sorts: SORTS };
const LOOKS = {
  equal: ['idle', 'check'],
  behind: ['firmware-update', 'half'],
  sending: ['working', 'clock'],
  waiting: ['firmware-update', 'clock'],
  failed: ['faulted', 'alert'],
  off: ['offline', 'broken'],
  unsupported: ['offline', 'broken'],
} as const;

type Row = DeviceListRow & { id: number };
const rowsOf = ({ items }: { items: DeviceListRow[] }): Row[] => items.map((row) => ({ ...row, id: row.deviceId }));

/** A list that was equal and does not have later changes yet is behind. */
function stateOf({ state, checksum, wantedChecksum }: DeviceListRow): keyof typeof LOOKS {
  return state === 'equal' && checksum !== wantedChecksum ? 'behind' : state;
}

/** The local authorization lists of devices: the version that each has, and whether it is equal. */
export function ListsTab({ deviceId }: { deviceId?: number }) {
  const { t } = useTranslation('tokens');
  const list = useList(
    SPEC,
    'listDeviceTokenLists',
    (query) => ({ query: { ...query, ...(deviceId && { deviceId }) } }),
    {
      refetchInterval: POLL_MS,
      rowsOf,
    },
  );
  const resending = useMutation({
    mutationFn: ({ deviceId }: Row) => call('resendTokenList', { params: { id: deviceId }, body: {} }),
    onSuccess(_, { deviceName }) {
      toast.success(t('lists.resent', { name: deviceName }));
      void refresh('listDeviceTokenLists');
    },
  });
  const resend = (row: Row) =>
    row.mayResend && (
      <Button
        size="small"
        loading={resending.isPending && resending.variables?.deviceId === row.deviceId}
        onClick={() => resending.mutate(row)}
      >
        {t('lists.resend')}
      </Button>
    );
  const state = (row: Row) => {
    const shown = stateOf(row);
    const [tone, glyph] = LOOKS[shown];
    return (
      <span className={css.state}>
        <Tag tone={tone} glyph={glyph}>
          {t(`lists.states.${shown}`)}
        </Tag>
        {!row.connected && shown !== 'equal' && <span className="quiet">{t('lists.offline')}</span>}
        {row.detail && <span className="quiet">{row.detail}</span>}
        {row.cacheWaits && <span className="quiet">{t('lists.cacheWaits')}</span>}
        {row.leftOut > 0 && <span className="quiet">{t('lists.leftOut', { count: row.leftOut })}</span>}
      </span>
    );
  };
  const entries = ({ entries, wantedEntries }: Row) =>
    entries === null ? <Dash /> : t('lists.entries', { entries, wanted: wantedEntries });
  const version = ({ version, checksum }: Row) =>
    version === 0 ? (
      <Dash />
    ) : (
      <span className={css.state}>
        <span className="mono">{version}</span>
        {checksum && <code className="quiet">{checksum}</code>}
      </span>
    );
  const device = (row: Row) => <Link to={`/manage/device/detail/${row.deviceId}`}>{row.deviceName}</Link>;
  const columns: DataColumn<Row, (typeof SORTS)[number]>[] = [
    { title: t('unknown.device'), render: (_, row) => device(row) },
    { title: 'SN', sortBy: 'sn', render: (_, { sn }) => <span className="mono">{sn}</span> },
    { title: t('site'), dataIndex: 'siteName' },
    { title: t('lists.state'), render: (_, row) => state(row) },
    { title: t('lists.version'), render: (_, row) => version(row) },
    { title: t('lists.count'), align: 'end', render: (_, row) => entries(row) },
    { title: t('lists.equalAt'), sortBy: 'equalAt', render: (_, { equalAt }) => <TimeAgo at={equalAt} /> },
    { title: t('lists.verifiedAt'), render: (_, { verifiedAt }) => <TimeAgo at={verifiedAt} /> },
  ];
  return (
    <ListSection
      label={t('tabs.lists')}
      list={list}
      search={deviceId ? undefined : t('lists.search')}
      filters={
        deviceId ? undefined : (
          <>
            <FilterSelect
              {...list.field('listState')}
              label={t('lists.state')}
              options={STATES.map((value) => ({ value, label: t(`lists.states.${value}`) }))}
            />
            <SitePicker {...list.field('siteId')} placeholder={t('site')} />
          </>
        )
      }
      columns={columns}
      rowActions={resend}
      empty={t(deviceId ? 'lists.none' : 'lists.empty')}
      compact={(row) => (
        <ListCard title={device(row)} aside={resend(row)}>
          <CardLine>{state(row)}</CardLine>
          <CardLine>
            {row.siteName} · {t('lists.version')} {row.version} · {entries(row)}
          </CardLine>
        </ListCard>
      )}
    />
  );
}
