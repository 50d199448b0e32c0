import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { queryOf } from '../../../shared/api/query.ts';
import { useListQuery } from '../../../shared/hooks/use-list-query.ts';
import type { ListSpec } from '../../../shared/lib/list-query.ts';
import { DataTable } from '../../../shared/ui/data-table.tsx';
import { ExactTime } from '../../../shared/ui/time-ago.tsx';

const SPEC: ListSpec<Record<never, never>, 'version'> = { filters: {}, sorts: ['version'] };

/** The versions of a model: who made each, and when. What devices reported is read by the version of its time. */
export function VersionsPart({ id }: { id: number }) {
  const { t } = useTranslation('models');
  const list = useListQuery(SPEC);
  const versions = useQuery({
    ...queryOf('listDeviceModelVersions', { params: { id }, query: list.query }, { quiet: true }),
    // A version has no id but its number.
    select: ({ items, total }) => ({ items: items.map((item) => ({ ...item, id: item.version })), total }),
    placeholderData: keepPreviousData,
  });
  return (
    <div className="stack">
      <p className="quiet">{t('versions.hint')}</p>
      <DataTable
        label={t('part.versions')}
        query={versions}
        list={list}
        rowKey="id"
        empty={{ text: t('versions.empty') }}
        columns={[
          { title: t('versions.number'), sortBy: 'version', render: (_, version) => version.version },
          { title: t('versions.at'), render: (_, version) => <ExactTime at={version.at} /> },
          { title: t('versions.by'), dataIndex: 'changedBy' },
          { title: t('versions.configs'), dataIndex: 'configs', align: 'end' },
          { title: t('versions.parameters'), dataIndex: 'parameters', align: 'end' },
          { title: t('versions.controls'), dataIndex: 'controls', align: 'end' },
        ]}
        compact={(version) => (
          <div className="version-card">
            <strong>{t('model.version', { version: version.version })}</strong>
            <span className="quiet">
              {version.changedBy} <ExactTime at={version.at} />
            </span>
          </div>
        )}
      />
    </div>
  );
}
