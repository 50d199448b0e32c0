import type { ReactNode } from 'react';
import './page.css';

/** A page: its title, what belongs to the title, what one can do here, and the page below. */
export function Page(props: { title: ReactNode; note?: ReactNode; actions?: ReactNode; children: ReactNode }) {
  return (
    <div className="page">
      <PageHeader title={props.title} note={props.note} actions={props.actions} />
      {props.children}
    </div>
  );
}

/** The heading of a page: title, a quiet note beside it, actions at the end. */
function PageHeader(props: { title: ReactNode; note?: ReactNode; actions?: ReactNode }) {
  return (
    <header className="page-header">
      <h1>{props.title}</h1>
      {props.note && <div className="page-header-note">{props.note}</div>}
      {props.actions && <div className="page-header-actions">{props.actions}</div>}
    </header>
  );
}

/** A part of a page on its own surface, with a heading. */
export function Panel(props: { title?: ReactNode; extra?: ReactNode; children: ReactNode }) {
  return (
    <section className="panel">
      {props.title && (
        <header>
          <h2>{props.title}</h2>
          {props.extra}
        </header>
      )}
      <div className="panel-body">{props.children}</div>
    </section>
  );
}
