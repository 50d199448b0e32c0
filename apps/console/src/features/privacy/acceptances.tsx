import type { AcceptanceRow } from '@chargehand/contract';
import { type Levels, mayDownloadUsers } from '@chargehand/domain';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Input, Select } from 'antd';
import { useTranslation } from 'react-i18next';
import { download } from '../../shared/api/client.ts';
import { queryOf } from '../../shared/api/query.ts';
import { useListQuery } from '../../shared/hooks/use-list-query.ts';
import { useTyped } from '../../shared/hooks/use-typed.ts';
import type { ListSpec } from '../../shared/lib/list-query.ts';
import { useUser } from '../../shared/session/use-user.ts';
import { type DataColumn, DataTable } from '../../shared/ui/data-table.tsx';
import { ExportButton } from '../../shared/ui/export-button.tsx';
import { Dash, ExactTime } from '../../shared/ui/time-ago.tsx';

type Sort = 'acceptedAt' | 'userName';
const filters = { search: 'text', version: 'number' } as const;
const SPEC: ListSpec<typeof filters, Sort> = { filters, sorts: ['acceptedAt', 'userName'] };

/** Who accepted which version, and when. */
export function Acceptances() {
  const { t } = useTranslation('privacy');
  const { t: common } = useTranslation();
  const mayExport = mayDownloadUsers(useUser().info.role.levels as Levels);
  const list = useListQuery(SPEC);
  const { search, version, sort } = list.query;
  const acceptances = useQuery({
    ...queryOf('listAcceptances', { query: list.query }, { quiet: true }),
    placeholderData: keepPreviousData,
  });
  const versions = useQuery(queryOf('listPolicies', { query: { page: 1, pageSize: 100 } }, { quiet: true }));
  const typed = useTyped(search ?? '', (text) => list.change({ search: text || undefined }));
  const columns: DataColumn<AcceptanceRow, Sort>[] = [
    { title: t('userName'), sortBy: 'userName', dataIndex: 'userName' },
    { title: t('nickName'), render: (_, row) => row.nickName || <Dash /> },
    { title: t('customer'), dataIndex: 'customerName' },
    { title: t('version'), dataIndex: 'version' },
    { title: t('acceptedAt'), sortBy: 'acceptedAt', render: (_, row) => <ExactTime at={row.acceptedAt} /> },
  ];
  return (
    <div className="stack">
      <search className="policy-filters">
        <Input.Search
          allowClear
          value={typed.text}
          placeholder={t('search')}
          aria-label={t('search')}
          onChange={(event) => typed.type(event.target.value)}
          onSearch={typed.settleNow}
        />
        <Select<number | undefined>
          allowClear
          value={version}
          placeholder={t('version')}
          aria-label={t('version')}
          options={versions.data?.items.map(({ version: one }) => ({
            value: one,
            label: t('versionOf', { version: one }),
          }))}
          onChange={(next) => list.change({ version: next })}
        />
        {list.filtered && (
          <button type="button" className="text-button" onClick={list.clear}>
            {common('table.clear')}
          </button>
        )}
        {mayExport && (
          <span className="policy-export">
            <ExportButton
              fetch={(options) => download('exportAcceptances', { query: { search, version, sort } }, options)}
              rows={acceptances.data?.total}
              disabled={acceptances.data?.total === 0}
            />
          </span>
        )}
      </search>
      <DataTable
        label={t('tabs.acceptances')}
        query={acceptances}
        list={list}
        columns={columns}
        rowKey="id"
        empty={{ text: t('nobody') }}
        compact={(row) => (
          <div className="policy-card">
            <strong>{row.nickName ? `${row.userName} · ${row.nickName}` : row.userName}</strong>
            <span>{t('versionOf', { version: row.version })}</span>
            <span className="quiet">
              {row.customerName} · <ExactTime at={row.acceptedAt} />
            </span>
          </div>
        )}
      />
    </div>
  );
}
