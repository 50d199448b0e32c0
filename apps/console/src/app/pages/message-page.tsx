import type { ReactNode } from 'react';
import '../page-frame.css';

/** A page with only a message: a short code, a title, a sentence, and actions. */
export function MessagePage(props: { code: string; title: string; text: string; detail?: string; actions: ReactNode }) {
  return (
    <section className="message-page">
      <p className="message-page-code mono">{props.code}</p>
      <h1>{props.title}</h1>
      <p className="message-page-text">{props.text}</p>
      {props.detail && <pre className="mono">{props.detail}</pre>}
      <div className="message-page-actions">{props.actions}</div>
    </section>
  );
}
