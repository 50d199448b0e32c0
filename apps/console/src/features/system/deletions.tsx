import type { SystemState } from '@chargehand/contract';
import { useTranslation } from 'react-i18next';
import { useMedia } from '../../shared/hooks/use-media.ts';
import type { Column } from '../../shared/ui/table/column.ts';
import { Table } from '../../shared/ui/table/table.tsx';
import { ExactTime } from '../../shared/ui/values/time-ago.tsx';
import '../../shared/ui/list-page/data-table.css';

type Deletion = SystemState['deletions'][number] & { key: string };

/** What the retention deleted, the latest first. */
export function Deletions({ deletions }: { deletions: SystemState['deletions'] }) {
  const { t } = useTranslation('system');
  const narrow = useMedia('(max-width: 760px)');
  if (deletions.length === 0) return <p className="quiet">{t('deletions.none')}</p>;
  const columns: Column<Deletion>[] = [
    { title: t('deletions.what'), render: (_, { kind }) => t(`deletions.kinds.${kind}`) },
    { title: t('deletions.count'), width: 120, align: 'end', render: (_, { count }) => count.toLocaleString('en-US') },
    { title: t('deletions.at'), width: 200, render: (_, { at }) => <ExactTime at={at} /> },
  ];
  const compact = ({ kind, count, at }: Deletion) => (
    <>
      <div>{t(`deletions.kinds.${kind}`)}</div>
      <div className="quiet">
        {count.toLocaleString('en-US')} · <ExactTime at={at} />
      </div>
    </>
  );
  return (
    <div className="data-table">
      <Table
        label={t('deletions.title')}
        rowKey="key"
        rows={deletions.map((one) => ({ ...one, key: `${one.kind} ${one.at}` }))}
        showHeader={!narrow}
        columns={narrow ? [{ key: 'row', render: (_, row) => compact(row) }] : columns}
      />
    </div>
  );
}
