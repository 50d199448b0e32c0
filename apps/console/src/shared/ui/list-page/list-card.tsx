import type { ReactNode } from 'react';
import './list-card.css';

interface Props {
  /** what tells the rows apart */
  title: ReactNode;
  /** at the end of the first line: actions, a state or a time */
  aside?: ReactNode;
  /** further lines, mostly `CardLine`s */
  children?: ReactNode;
}

/** A row of a list on a phone: a title with what belongs beside it, and lines below. */
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

/** A quiet line of a card; `end` stands at its end. */
export function CardLine({ children, end }: { children?: ReactNode; end?: ReactNode }) {
  return (
    <div className="list-card-line quiet">
      {children}
      {end && <span className="list-card-end">{end}</span>}
    </div>
  );
}
