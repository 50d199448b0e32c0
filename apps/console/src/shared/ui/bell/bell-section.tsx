import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ErrorState } from '../states/error-state.tsx';
import { SkeletonRows } from '../states/skeleton-rows.tsx';
import css from './bell-section.module.css';

/** The props of a section of the notification bell, which each feature registers in `app/shell/bell/sections.ts`. */
export interface BellSectionProps {
  /** when the user last opened the bell before; null: never */
  since: string | null;
}

/** A section of the notification bell: the newest rows of one source. */
export function BellSection<Row>(props: {
  title: string;
  /** leads to the whole list */
  all?: ReactNode;
  rows: UseQueryResult<{ items: Row[] }>;
  empty: string;
  children(row: Row): ReactNode;
}) {
  const { title, all, rows, empty, children } = props;
  return (
    <section className={css.section} aria-label={title}>
      <header>
        <h3>{title}</h3>
        {all}
      </header>
      {rows.data ? (
        rows.data.items.length === 0 ? (
          <p className="quiet">{empty}</p>
        ) : (
          <ul>{rows.data.items.map(children)}</ul>
        )
      ) : rows.isError ? (
        <ErrorState error={rows.error} onRetry={() => void rows.refetch()} />
      ) : (
        <SkeletonRows rows={4} />
      )}
    </section>
  );
}

/** A row: a mark, what happened with its place below, and when. */
export function BellRow(props: {
  mark: ReactNode;
  what: ReactNode;
  where: ReactNode;
  at: ReactNode;
  action?: ReactNode;
  /** it happened after the bell was last opened */
  fresh?: boolean;
}) {
  const { mark, what, where, at, action, fresh = false } = props;
  return (
    <li className={css.row} data-fresh={fresh}>
      <span>{mark}</span>
      <span className={css.what}>
        {what}
        <span className="quiet">{where}</span>
      </span>
      <span className={css.end}>
        <span className="quiet no-break">{at}</span>
        {action}
      </span>
    </li>
  );
}
