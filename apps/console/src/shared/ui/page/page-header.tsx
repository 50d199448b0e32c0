import type { ReactNode } from 'react';
import './page.css';

/** A page: its title with an aside, its actions, and its content. */
export function Page(props: { title: ReactNode; note?: ReactNode; actions?: ReactNode; children: ReactNode }) {
  return (
    <div className="page">
      <PageHeader title={props.title} note={props.note} actions={props.actions} />
      {props.children}
    </div>
  );
}

/** The header of a page: title, a secondary note, actions at the end. */
function PageHeader(props: { title: ReactNode; note?: ReactNode; actions?: ReactNode }) {
  return (
    <header className="page-header">
      <h1>{props.title}</h1>
      {props.note && <div className="page-header-note">{props.note}</div>}
      {props.actions && <div className="page-header-actions">{props.actions}</div>}
    </header>
  );
}

/** A section of a page with its own background and a heading. */
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
