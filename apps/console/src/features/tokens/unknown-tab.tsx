import type { UnknownTokenRow } from '@chargehand/contract';
import { POLL_MS } from '@chargehand/contract/constants';
import { tokenTypeOf } from '@chargehand/domain';
import { useMutation } from '@tanstack/react-query';
import { Button } from 'antd';
import { useTranslation } from 'react-i18next';
import { call } from '../../shared/api/client.ts';
import { refresh } from '../../shared/api/query.ts';
import { useList } from '../../shared/hooks/lists/use-list.ts';
import type { ListSpec } from '../../shared/lib/lists/list-query.ts';
import { toast } from '../../shared/ui/dialogs/toast.ts';
import type { DataColumn } from '../../shared/ui/list-page/data-table.tsx';
import { CardLine, ListCard } from '../../shared/ui/list-page/list-card.tsx';
import { ListSection } from '../../shared/ui/list-page/list-page.tsx';
import { SitePicker } from '../../shared/ui/list-page/pickers.tsx';
import { Dash, TimeAgo } from '../../shared/ui/values/time-ago.tsx';
import './tokens.module.css';

const SORTS = ['lastAt', 'count'] as const;
const filters = { siteId: 'number' } as const;
const SPEC: ListSpec<typeof filters, (typeof SORTS)[number]> = { filters, sorts: SORTS };

/** Tokens that were presented and that no list has, by site. */
export function UnknownTab() {
  const { t } = useTranslation('tokens');
  const list = useList(SPEC, 'listUnknownTokens', (query) => ({ query }), { refetchInterval: POLL_MS });
  const adding = useMutation({
    mutationFn: ({ id }: UnknownTokenRow) => call('addUnknownToken', { params: { id }, body: {} }),
    onSuccess(_, { value, customerName }) {
      toast.success(t('unknown.added', { value, customer: customerName }));
      void refresh('listUnknownTokens', 'listTokens');
    },
  });
  const add = (row: UnknownTokenRow) =>
    row.mayAdd && (
      <Button
        size="small"
        loading={adding.isPending && adding.variables?.id === row.id}
        onClick={() => adding.mutate(row)}
      >
        {t('unknown.add')}
      </Button>
    );
  /** Devices may report types that no standard knows. */
  const typeName = (type: string | null) => {
    const known = type === null ? null : tokenTypeOf(type);
    return known ? t(`types.${known}`) : type;
  };
  const value = ({ value }: UnknownTokenRow) => <span className={`mono breaks`}>{value}</span>;
  const columns: DataColumn<UnknownTokenRow, (typeof SORTS)[number]>[] = [
    { title: t('value'), render: (_, row) => value(row) },
    { title: t('type'), render: (_, { type }) => typeName(type) ?? <Dash /> },
    { title: t('site'), dataIndex: 'siteName' },
    { title: t('unknown.device'), render: (_, { deviceName }) => deviceName ?? <Dash /> },
    {
      title: t('unknown.count'),
      sortBy: 'count',
      align: 'end',
      render: (_, { count }) => count.toLocaleString('en-US'),
    },
    { title: t('unknown.last'), sortBy: 'lastAt', render: (_, { lastAt }) => <TimeAgo at={lastAt} /> },
    { title: t('customer'), dataIndex: 'customerName' },
  ];
  return (
    <ListSection
      label={t('tabs.unknown')}
      list={list}
      filters={<SitePicker {...list.field('siteId')} placeholder={t('site')} />}
      columns={columns}
      rowActions={add}
      empty={t('unknown.empty')}
      compact={(row) => (
        <ListCard title={value(row)} aside={add(row)}>
          <CardLine>
            {row.siteName}
            {row.deviceName && ` · ${row.deviceName}`}
          </CardLine>
          <CardLine>
            {t('unknown.times', { count: row.count })} · <TimeAgo at={row.lastAt} />
          </CardLine>
        </ListCard>
      )}
    />
  );
}
