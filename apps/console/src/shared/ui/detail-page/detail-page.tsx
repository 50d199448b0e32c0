import { useQuery } from '@tanstack/react-query';
import { Fragment, type ReactNode, useId } from 'react';
import { useParams, useSearchParams } from 'react-router';
import type { Answer, EndpointName, InputOf } from '../../api/client.ts';
import { EDITED } from '../../api/edited.ts';
import { ApiProblem } from '../../api/problem.ts';
import { queryOf } from '../../api/query.ts';
import { useLate } from '../../hooks/late/use-late.ts';
import { type ParentPage, useTabLabel } from '../../hooks/use-tab-label.ts';
import { loadChunk } from '../../lib/browser/load-chunk.ts';
import { Page } from '../page/page-header.tsx';
import { ErrorState } from '../states/error-state.tsx';
import { SkeletonRows } from '../states/skeleton-rows.tsx';
import './detail-page.css';

interface Props<K extends EndpointName> {
  /** the call that reads the row */
  read: K;
  input: InputOf<K>;
  /** the label of its history tab */
  nameOf(row: Answer<K>): string;
  /** the page before it in the breadcrumbs; null and default: the one in the route table */
  parentOf?(row: Answer<K>): ParentPage | null;
  /** the heading while it is loading */
  title?: string;
  /** milliseconds between fetches, for data without live updates */
  refetchInterval?: number;
  /** true while other data of the first screen is loading: everything appears at once, so that nothing moves */
  waits?: boolean;
  /** true when the page edits the row: then it is never refetched automatically */
  edited?: boolean;
  children(row: Answer<K>): ReactNode;
}

/**
 * The page of one row, once it is loaded. Until then it shows a loading or error state. The row stays visible while the
 * server is unreachable, but not when the server reports that it no longer exists.
 */
export function DetailPage<K extends EndpointName>(props: Props<K>) {
  const { refetchInterval, waits = false, edited } = props;
  const query = useQuery({
    ...queryOf(props.read, props.input, { quiet: true }),
    ...(refetchInterval !== undefined && { refetchInterval }),
    ...(edited && EDITED),
  });
  const deleted = query.error instanceof ApiProblem && query.error.kind === 'business';
  const row = deleted ? undefined : (query.data as Answer<K> | undefined);
  useTabLabel(row && props.nameOf(row), row && props.parentOf?.(row));
  if (row && !waits) return props.children(row);
  const state = query.isError ? (
    <ErrorState error={query.error} onRetry={() => void query.refetch()} />
  ) : (
    <SkeletonRows rows={8} />
  );
  return props.title === undefined ? <div className="page">{state}</div> : <Page title={props.title}>{state}</Page>;
}

/** The header of a page with tabs: name, the most important facts, and actions. */
export function Headline(props: {
  title: ReactNode;
  /** a picture before the title */
  emblem?: ReactNode;
  /** decides the color of its edge: a status of a device or a site, or `disabled` */
  status?: string | undefined;
  /** next to the title */
  marks?: ReactNode;
  actions?: ReactNode;
  /** below */
  children?: ReactNode;
}) {
  return (
    <header className="headline" data-status={props.status}>
      <div className="headline-top">
        {props.emblem}
        <h1>{props.title}</h1>
        {props.marks}
        {props.actions && <div className="headline-actions">{props.actions}</div>}
      </div>
      {props.children}
    </header>
  );
}

interface Tab {
  key: string;
  label: string;
  children: ReactNode;
}

/** On a slow network, the content of a page is there before the code of its tabs. */
const loadBar = () => loadChunk(() => import('./tab-bar.tsx'));

/**
 * A page with tabs below a headline. The open tab is stored in the URL; the first one is the default.
 * @param opened the open tab of a page that finds it by more than its name in the URL
 */
export function TabbedPage(props: { headline: ReactNode; tabs: (Tab | false)[]; opened?: string }) {
  const { headline, tabs, opened } = props;
  const { type } = useParams();
  const [search, setSearch] = useSearchParams();
  const id = useId();
  const Bar = useLate(loadBar);
  const items = tabs.filter((tab) => tab !== false);
  const wanted = opened ?? search.get('tab') ?? type;
  const open = items.find(({ key }) => key === wanted) ?? items[0];
  return (
    <div className="tabbed-page">
      {headline}
      {Bar ? (
        <Bar
          id={id}
          open={open?.key ?? ''}
          tabs={items.map(({ key, label }) => ({ key, label }))}
          onOpen={(key) => setSearch({ tab: key }, { replace: true })}
        />
      ) : (
        <div className="page-tabs-bar page-tabs-waiting" aria-hidden="true">
          {items.map(({ key, label }) => (
            <span key={key} data-open={key === open?.key}>
              {label}
            </span>
          ))}
        </div>
      )}
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={Bar ? `${id}-tab-${open?.key}` : undefined}>
        <Fragment key={open?.key}>{open?.children}</Fragment>
      </div>
    </div>
  );
}
