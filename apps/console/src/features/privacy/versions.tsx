import type { PolicyRow } from '@chargehand/contract';
import { useQuery } from '@tanstack/react-query';
import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { queryOf } from '../../shared/api/query.ts';
import { useList } from '../../shared/hooks/lists/use-list.ts';
import type { ListSpec } from '../../shared/lib/lists/list-query.ts';
import { type DataColumn, DataTable } from '../../shared/ui/list-page/data-table.tsx';
import { Tag } from '../../shared/ui/tags/tag.tsx';
import { ExactTime } from '../../shared/ui/values/time-ago.tsx';
import { Preview } from './preview.tsx';
import css from './privacy.module.css';

// The tab belongs to the page and is not a filter of the list.
const SPEC: ListSpec<Record<never, never>, never> = { filters: {}, sorts: [] };

/** The published versions, the current one first. */
export function Versions({ onAccepted }: { onAccepted(version: number): void }) {
  const { t } = useTranslation('privacy');
  const list = useList(SPEC, 'listPolicies', ({ page, pageSize }) => ({ query: { page, pageSize } }));
  const [reading, setReading] = useState<number | null>(null);
  const newest = list.query.page === 1 ? list.answer?.items[0]?.version : undefined;
  const by = ({ publishedBy }: PolicyRow) => publishedBy || t('byProduct');
  const accepted = (policy: PolicyRow) => (
    <button type="button" className="text-button" onClick={() => onAccepted(policy.version)}>
      {t('acceptedBy', { count: policy.accepted })}
    </button>
  );
  const read = (policy: PolicyRow) => (
    <Button
      size="small"
      aria-label={t('readVersion', { version: policy.version })}
      onClick={() => setReading(policy.version)}
    >
      {t('read')}
    </Button>
  );
  const columns: DataColumn<PolicyRow, never>[] = [
    {
      title: t('version'),
      render: (_, { version }) => (
        <span className={css.policyVersion}>
          {version}
          {version === newest && <InForce />}
        </span>
      ),
    },
    { title: t('publishedAt'), render: (_, { publishedAt }) => <ExactTime at={publishedAt} /> },
    { title: t('publishedBy'), render: (_, policy) => by(policy) },
    { title: t('accepted'), render: (_, policy) => accepted(policy) },
  ];
  return (
    <>
      <DataTable
        label={t('tabs.versions')}
        list={list}
        columns={columns}
        rowActions={read}
        compact={(policy) => (
          <div className={css.policyCard}>
            <span className={css.policyVersion}>
              <strong>{t('versionOf', { version: policy.version })}</strong>
              {policy.version === newest && <InForce />}
            </span>
            {read(policy)}
            <span className="quiet">
              <ExactTime at={policy.publishedAt} /> · {by(policy)}
            </span>
            {accepted(policy)}
          </div>
        )}
      />
      {reading !== null && <Published version={reading} onClose={() => setReading(null)} />}
    </>
  );
}

function InForce() {
  const { t } = useTranslation('privacy');
  return (
    <Tag tone="idle" glyph="check">
      {t('inForce')}
    </Tag>
  );
}

function Published({ version, onClose }: { version: number; onClose(): void }) {
  const policy = useQuery(queryOf('readPolicy', { params: { id: version } }));
  return policy.data ? (
    <Preview contentEn={policy.data.contentEn} contentZh={policy.data.contentZh} onClose={onClose} />
  ) : null;
}
