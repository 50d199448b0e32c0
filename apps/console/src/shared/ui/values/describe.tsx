import type { ReactNode } from 'react';
import { Dash } from './time-ago.tsx';
import '../page/page.css';

/**
 * A compact list of names and values, in as many columns as fit. A value that is null, undefined or empty is shown as a
 * dash.
 */
export function Describe({ items }: { items: readonly { key: string; label: ReactNode; value: ReactNode }[] }) {
  return (
    <dl className="describe">
      {items.map(({ key, label, value }) => (
        <div key={key}>
          <dt>{label}</dt>
          <dd>{value === null || value === undefined || value === '' ? <Dash /> : value}</dd>
        </div>
      ))}
    </dl>
  );
}
