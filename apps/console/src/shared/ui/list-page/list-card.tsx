import type { ReactNode } from 'react';
import './list-card.css';

interface Props {
  /** identifies the row */
  title: ReactNode;
  /** at the end of the first line: actions, a state or a time */
  aside?: ReactNode;
  /** further lines, usually `CardLine`s */
  children?: ReactNode;
}

/** A row of a list on a phone: a title with an aside, and further lines. */
export function ListCard({ title, aside, children }: Props) {
  return (
    <div className="list-card">
      <div className="list-card-line">
        <strong>{title}</strong>
        {aside}
      </div>
      {children}
    </div>
  );
}

/** A secondary line of a card; `end` is aligned at its end. */
export function CardLine({ children, end }: { children?: ReactNode; end?: ReactNode }) {
  return (
    <div className="list-card-line quiet">
      {children}
      {end && <span className="list-card-end">{end}</span>}
    </div>
  );
}
