import type { LinkRow } from '@chargehand/contract';
import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useAddress } from '../../../shared/hooks/lists/use-address.ts';
import { useMedia } from '../../../shared/hooks/use-media.ts';
import { CardLine, ListCard } from '../../../shared/ui/list-page/list-card.tsx';
import { Panel } from '../../../shared/ui/page/page-header.tsx';
import { EmptyState } from '../../../shared/ui/states/empty-state.tsx';
import { ErrorState } from '../../../shared/ui/states/error-state.tsx';
import { SkeletonRows } from '../../../shared/ui/states/skeleton-rows.tsx';
import type { Column } from '../../../shared/ui/table/column.ts';
import { Table } from '../../../shared/ui/table/table.tsx';
import { ExactTime } from '../../../shared/ui/values/time-ago.tsx';
import { LinkDialog } from '../link-dialog.tsx';
import css from '../links.module.css';
import { LinkStateTag, LinkTraffic, useLinkEnd } from '../shared/link-marks.tsx';
import { LinkFilterBar } from './link-filters.tsx';
import { type LinkFilters, type LinkPlace, useLinks } from './use-links.ts';
import '../../../shared/ui/list-page/data-table.css';

/** The active links of a place and the past ones. The URL contains the opened link. */
export function LinkList({ of: place }: { of: LinkPlace }) {
  const { t } = useTranslation('links');
  const [address, change] = useAddress();
  const open = Number(address.get('link')) || null;
  const show = (id: number | null) =>
    change((now) => {
      if (id === null) now.delete('link');
      else now.set('link', String(id));
      return now;
    });
  // Both panels appear at once: the first one would move the second one.
  const parts = [useLinks(place, false), useLinks(place, true)];
  const waits = parts.some(({ items, isLoadingError }) => !items && !isLoadingError);
  return (
    <div className="stack">
      {waits ? (
        <SkeletonRows rows={8} />
      ) : (
        <>
          <Panel title={t('active')}>
            <Links place={place} ended={false} onOpen={show} />
          </Panel>
          <Panel title={t('past')}>
            <Links place={place} ended onOpen={show} />
          </Panel>
        </>
      )}
      {open !== null && <LinkDialog key={open} id={open} onClose={() => show(null)} onChange={show} />}
    </div>
  );
}

interface LinksProps {
  place: LinkPlace;
  ended: boolean;
  onOpen(id: number): void;
}

function Links({ place, ended, onOpen }: LinksProps) {
  const { t } = useTranslation('links');
  const { t: common } = useTranslation();
  const narrow = useMedia('(max-width: 1000px)');
  const inOneCell = useMedia('(max-width: 760px)');
  const [filters, setFilters] = useState<LinkFilters>({});
  const links = useLinks(place, ended, filters);
  const isFiltered = Object.keys(filters).length > 0;
  const wide = useColumns({ place, ended, onOpen });
  if (links.isLoadingError) return <ErrorState error={links.error} onRetry={() => void links.refetch()} />;
  if (!links.items) return <SkeletonRows rows={3} />;
  const card: Column<LinkRow> = {
    key: 'link',
    render: (_, link) => <LinkCard link={link} withDevice={place.deviceId === undefined} onOpen={onOpen} />,
  };
  return (
    <>
      {ended && <LinkFilterBar place={place} filters={filters} onChange={setFilters} />}
      <div className="data-table">
        <Table<LinkRow>
          label={t(ended ? 'past' : 'active')}
          rows={links.items}
          columns={inOneCell ? [card] : wide}
          showHeader={!inOneCell}
          scrollWidth={narrow && !inOneCell ? 'max-content' : undefined}
          empty={<EmptyState text={t(ended ? (isFiltered ? 'pastNoMatch' : 'pastNone') : 'activeNone')} />}
        />
      </div>
      {links.hasNextPage && (
        <Button type="link" loading={links.isFetchingNextPage} onClick={() => void links.fetchNextPage()}>
          {common('older')}
        </Button>
      )}
    </>
  );
}

function useColumns({ place, ended, onOpen }: LinksProps): Column<LinkRow>[] {
  const { t } = useTranslation('links');
  const endOf = useLinkEnd();
  return [
    {
      key: 'kind',
      title: t('kind'),
      render: (_, link) => <OpenLink link={link} onOpen={onOpen} />,
    },
    ...(place.deviceId === undefined
      ? [{ key: 'device', title: t('device'), render: (_: unknown, link: LinkRow) => <DeviceOf link={link} /> }]
      : []),
    { key: 'user', title: t('user'), dataIndex: 'requestedBy' },
    {
      key: 'reason',
      title: t('reason'),
      render: (_, link) => <span className="pre-text">{link.reason}</span>,
    },
    {
      key: 'since',
      title: t('since'),
      render: (_, link) => <ExactTime at={link.openedAt ?? link.requestedAt} />,
    },
    ended
      ? { key: 'endedAt', title: t('endedAt'), render: (_, link) => <ExactTime at={link.endedAt} /> }
      : { key: 'until', title: t('until'), render: (_, link) => <ExactTime at={link.until} /> },
    ended
      ? {
          key: 'result',
          title: t('result'),
          render: (_, link) => endOf(link),
        }
      : { key: 'state', title: t('state'), render: (_, link) => <LinkStateTag link={link} /> },
    ...(ended
      ? [
          {
            key: 'recordings',
            title: t('recordings.title'),
            render: (_: unknown, link: LinkRow) => link.recordings || '',
          },
        ]
      : []),
    { key: 'traffic', title: t('traffic'), align: 'end', render: (_, link) => <LinkTraffic link={link} /> },
  ];
}

function LinkCard({ link, withDevice, onOpen }: { link: LinkRow; withDevice: boolean; onOpen(id: number): void }) {
  const endOf = useLinkEnd();
  return (
    <ListCard title={<OpenLink link={link} onOpen={onOpen} />} aside={<LinkStateTag link={link} />}>
      <CardLine end={<ExactTime at={link.openedAt ?? link.requestedAt} />}>
        <span>{link.requestedBy}</span>
        {withDevice && (
          <>
            {' · '}
            <DeviceOf link={link} />
          </>
        )}
      </CardLine>
      <CardLine end={<LinkTraffic link={link} />}>
        <span>{link.reason}</span>
      </CardLine>
      {link.end !== null && (
        <CardLine>
          <span>{endOf(link)}</span>
        </CardLine>
      )}
    </ListCard>
  );
}

/** The kind of a link as a button that opens it. Its name has the device, because a list has many of a kind. */
function OpenLink({ link, onOpen }: { link: LinkRow; onOpen(id: number): void }) {
  const { t } = useTranslation('links');
  const kind = t(`kinds.${link.kind}`);
  return (
    <button
      type="button"
      className={`text-button ${css.name}`}
      aria-label={t('title', { kind, name: link.device.name })}
      onClick={() => onOpen(link.id)}
    >
      {kind}
    </button>
  );
}

function DeviceOf({ link: { device } }: { link: LinkRow }) {
  if (device.id === null) return <span className={css.name}>{device.name}</span>;
  return (
    <Link className={css.name} to={`/manage/device/detail/${device.id}`}>
      {device.name}
    </Link>
  );
}
