import { useTranslation } from 'react-i18next';
import type { Answer } from '../../../../shared/api/client.ts';
import { useList } from '../../../../shared/hooks/lists/use-list.ts';
import type { ListSpec } from '../../../../shared/lib/lists/list-query.ts';
import { DataTable } from '../../../../shared/ui/list-page/data-table.tsx';
import { CardLine, ListCard } from '../../../../shared/ui/list-page/list-card.tsx';
import { ExactTime } from '../../../../shared/ui/values/time-ago.tsx';

const SPEC: ListSpec<Record<never, never>, 'version'> = { filters: {}, sorts: ['version'] };

/** The versions of a model with author and time. Reported data is interpreted with the version of its time. */
export function VersionsPart({ id }: { id: number }) {
  const { t } = useTranslation('models');
  const list = useList(SPEC, 'listDeviceModelVersions', (query) => ({ params: { id }, query }), { rowsOf });
  return (
    <div className="stack">
      <p className="quiet">{t('versions.hint')}</p>
      <DataTable
        label={t('part.versions')}
        list={list}
        empty={t('versions.empty')}
        columns={[
          { title: t('versions.number'), sortBy: 'version', render: (_, version) => version.version },
          { title: t('versions.at'), render: (_, version) => <ExactTime at={version.at} /> },
          { title: t('versions.by'), dataIndex: 'changedBy' },
          { title: t('versions.configs'), dataIndex: 'configs', align: 'end' },
          { title: t('versions.parameters'), dataIndex: 'parameters', align: 'end' },
          { title: t('versions.controls'), dataIndex: 'controls', align: 'end' },
        ]}
        compact={(version) => (
          <ListCard title={t('model.version', { version: version.version })}>
            <CardLine>
              {version.changedBy} <ExactTime at={version.at} />
            </CardLine>
          </ListCard>
        )}
      />
    </div>
  );
}

/** A version is identified by its number. */
function rowsOf({ items }: Answer<'listDeviceModelVersions'>) {
  return items.map((item) => ({ ...item, id: item.version }));
}
