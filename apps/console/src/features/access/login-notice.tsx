import type { ReactNode } from 'react';

/** A message in the form: the error and how to continue. */
export function LoginNotice(props: { tone: 'error' | 'warning' | 'success'; text: string; children?: ReactNode }) {
  return (
    <div className={`login-notice login-notice-${props.tone}`} role={props.tone === 'error' ? 'alert' : 'status'}>
      <span>{props.text}</span>
      {props.children}
    </div>
  );
}
