import type { AcceptanceRow } from '@chargehand/contract';
import { type Levels, mayDownloadUsers } from '@chargehand/domain';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { download } from '../../shared/api/client.ts';
import { queryOf } from '../../shared/api/query.ts';
import { useList } from '../../shared/hooks/lists/use-list.ts';
import type { ListSpec } from '../../shared/lib/lists/list-query.ts';
import { useUser } from '../../shared/session/use-user.ts';
import type { DataColumn } from '../../shared/ui/list-page/data-table.tsx';
import { FilterSelect } from '../../shared/ui/list-page/filter-bar.tsx';
import { CardLine, ListCard } from '../../shared/ui/list-page/list-card.tsx';
import { ListSection } from '../../shared/ui/list-page/list-page.tsx';
import { Dash, ExactTime } from '../../shared/ui/values/time-ago.tsx';

type Sort = 'acceptedAt' | 'userName';
const filters = { search: 'text', version: 'number' } as const;
const SPEC: ListSpec<typeof filters, Sort> = { filters, sorts: ['acceptedAt', 'userName'] };

/** Who accepted which version, and when. */
export function Acceptances() {
  const { t } = useTranslation('privacy');
  const mayExport = mayDownloadUsers(useUser().info.role.levels as Levels);
  const list = useList(SPEC, 'listAcceptances', (query) => ({ query }));
  const versions = useQuery(queryOf('listPolicies', { query: { page: 1, pageSize: 100 } }, { quiet: true }));
  const columns: DataColumn<AcceptanceRow, Sort>[] = [
    { title: t('userName'), sortBy: 'userName', dataIndex: 'userName' },
    { title: t('nickName'), render: (_, row) => row.nickName || <Dash /> },
    { title: t('customer'), dataIndex: 'customerName' },
    { title: t('version'), dataIndex: 'version' },
    { title: t('acceptedAt'), sortBy: 'acceptedAt', render: (_, row) => <ExactTime at={row.acceptedAt} /> },
  ];
  return (
    <ListSection
      label={t('tabs.acceptances')}
      list={list}
      search={t('search')}
      filters={
        <FilterSelect
          label={t('version')}
          options={versions.data?.items.map(({ version }) => ({ value: version, label: t('versionOf', { version }) }))}
          {...list.field('version')}
        />
      }
      onExport={mayExport ? (query, options) => download('exportAcceptances', { query }, options) : undefined}
      columns={columns}
      empty={t('nobody')}
      compact={(row) => (
        <ListCard title={row.nickName ? `${row.userName} · ${row.nickName}` : row.userName}>
          <span>{t('versionOf', { version: row.version })}</span>
          <CardLine>
            {row.customerName} <ExactTime at={row.acceptedAt} />
          </CardLine>
        </ListCard>
      )}
    />
  );
}
