import type { ShareRow } from '@chargehand/contract';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { useList } from '../../shared/hooks/lists/use-list.ts';
import type { ListSpec } from '../../shared/lib/lists/list-query.ts';
import type { DataColumn } from '../../shared/ui/list-page/data-table.tsx';
import { FilterSelect } from '../../shared/ui/list-page/filter-bar.tsx';
import { FilterCheck } from '../../shared/ui/list-page/filter-check.tsx';
import { CardLine, ListCard } from '../../shared/ui/list-page/list-card.tsx';
import { ListSection } from '../../shared/ui/list-page/list-page.tsx';
import { ShareState } from '../../shared/ui/tags/share-state.tsx';
import { Dash, ExactTime } from '../../shared/ui/values/time-ago.tsx';
import { ShareDrawer } from './share-drawer.tsx';

const KINDS = ['download', 'upload', 'issue', 'terminal', 'page'] as const;
const SORTS = ['createdAt', 'expiresAt', 'uses'] as const;
const filters = { search: 'text', kind: KINDS, ended: 'flag', own: 'flag' } as const;
const SPEC: ListSpec<typeof filters, (typeof SORTS)[number]> = { filters, sorts: SORTS };

/** The active shares of the user, and for administrators those of others. The URL contains the opened share. */
export function SharesTab() {
  const { t } = useTranslation('shares');
  const list = useList(SPEC, 'listShares', (query) => ({ query }));
  const [search, setSearch] = useSearchParams();
  const open = Number(search.get('share')) || null;
  const show = (id: number | null) =>
    setSearch((now) => {
      const next = new URLSearchParams(now);
      if (id === null) next.delete('share');
      else next.set('share', String(id));
      return next;
    });

  const columns: DataColumn<ShareRow, (typeof SORTS)[number]>[] = [
    {
      name: 'object',
      always: true,
      title: t('object'),
      render: (_, share) => (
        <button
          type="button"
          className="text-button start-text"
          aria-label={t('open', { name: share.object.name })}
          onClick={() => show(share.id)}
        >
          <span className="two-lines" title={share.object.name}>
            {share.object.name}
          </span>
        </button>
      ),
    },
    { name: 'kind', title: t('kind'), render: (_, { kind }) => <span className="no-break">{t(`kinds.${kind}`)}</span> },
    { name: 'state', title: t('state'), render: (_, share) => <ShareState share={share} /> },
    { name: 'recipient', title: t('recipient'), render: (_, { recipient }) => recipient || <Dash /> },
    { name: 'createdBy', title: t('createdBy'), dataIndex: 'createdBy' },
    { name: 'uses', title: t('uses'), sortBy: 'uses', align: 'end', render: (_, share) => <Uses share={share} /> },
    {
      name: 'expiresAt',
      title: t('until'),
      sortBy: 'expiresAt',
      render: (_, { expiresAt }) => (expiresAt === null ? t('permanent') : <ExactTime at={expiresAt} />),
    },
    {
      name: 'createdAt',
      title: t('createdAt'),
      sortBy: 'createdAt',
      render: (_, { createdAt }) => <ExactTime at={createdAt} />,
    },
  ];

  return (
    <>
      <ListSection
        label={t('title')}
        list={list}
        search={t('search')}
        filters={
          <>
            <FilterSelect
              label={t('kind')}
              options={KINDS.map((value) => ({ value, label: t(`kinds.${value}`) }))}
              {...list.field('kind')}
            />
            <FilterCheck
              checked={list.query.ended === true}
              onChange={(ended) => list.change({ ended: ended || undefined })}
            >
              {t('endedOnly')}
            </FilterCheck>
            {list.answer?.oversees && (
              <FilterCheck checked={list.query.own === true} onChange={(own) => list.change({ own: own || undefined })}>
                {t('ownOnly')}
              </FilterCheck>
            )}
          </>
        }
        columns={columns}
        keep="shares"
        onOpen={(share) => show(share.id)}
        empty={t('empty')}
        compact={(share) => (
          <ListCard
            title={
              <span className="two-lines" title={share.object.name}>
                {share.object.name}
              </span>
            }
          >
            <CardLine
              end={
                <>
                  {t('uses')} <Uses share={share} />
                </>
              }
            >
              <ShareState share={share} />
            </CardLine>
            <CardLine end={share.expiresAt === null ? t('permanent') : <ExactTime at={share.expiresAt} />}>
              {t(`kinds.${share.kind}`)}
              {share.recipient && ` · ${share.recipient}`}
            </CardLine>
          </ListCard>
        )}
      />
      {open !== null && <ShareDrawer key={open} id={open} onClose={() => show(null)} />}
    </>
  );
}

function Uses({ share: { uses, useLimit } }: { share: ShareRow }) {
  const { t } = useTranslation('shares');
  return <span className="no-break">{useLimit === null ? uses : t('usesOf', { uses, limit: useLimit })}</span>;
}
