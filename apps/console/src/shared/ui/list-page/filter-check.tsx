import { type ReactNode, useEffect, useState } from 'react';

/**
 * A checkbox filter stored in the URL. The checkbox reacts immediately and follows the URL afterwards, which only
 * changes when the router has processed the navigation.
 */
export function FilterCheck(props: { checked: boolean; onChange(checked: boolean): void; children: ReactNode }) {
  const { checked, onChange, children } = props;
  const [shown, setShown] = useState(checked);
  useEffect(() => setShown(checked), [checked]);
  return (
    <label className="check">
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
