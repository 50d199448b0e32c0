import { type ReactNode, useEffect, useState } from 'react';
import './filter-check.css';

/**
 * A filter that is on or off and kept in the address. Its mark answers the click at once and follows the address from
 * then on: the address changes only when the router has let the change through.
 */
export function FilterCheck(props: { checked: boolean; onChange(checked: boolean): void; children: ReactNode }) {
  const { checked, onChange, children } = props;
  const [shown, setShown] = useState(checked);
  useEffect(() => setShown(checked), [checked]);
  return (
    <label className="filter-check">
      <input
        type="checkbox"
        checked={shown}
        onChange={(event) => {
          setShown(event.target.checked);
          onChange(event.target.checked);
        }}
      />
      {children}
    </label>
  );
}
