import { Input } from 'antd';
import type { FilterField } from '../../hooks/lists/use-list-query.ts';
import { useTyped } from '../../hooks/use-typed.ts';
import { TimeRange } from '../times/time-range.tsx';

/** A text filter. It is applied when the user stops typing, or immediately on Enter. */
export function FilterText(props: FilterField<string> & { label: string; placeholder?: string; maxLength?: number }) {
  const { value = '', label, placeholder = label, maxLength } = props;
  const typed = useTyped(value, (text) => props.onChange(text || undefined));
  return (
    <Input
      className="filters-text"
      allowClear
      value={typed.text}
      placeholder={placeholder}
      aria-label={label}
      maxLength={maxLength}
      onChange={(event) => typed.type(event.target.value)}
      onPressEnter={() => typed.settleNow(typed.text)}
    />
  );
}

/** Filters for both ends of a time range. The values are ISO 8601; the fields show the installation's time zone. */
export function FilterTimes(props: {
  labels: [from: string, to: string];
  from: FilterField<string>;
  to: FilterField<string>;
}) {
  const { labels, from, to } = props;
  return (
    <TimeRange
      labels={labels}
      value={{ from: from.value ?? null, to: to.value ?? null }}
      onChange={(next) => {
        if (next.from !== (from.value ?? null)) from.onChange(next.from ?? undefined);
        if (next.to !== (to.value ?? null)) to.onChange(next.to ?? undefined);
      }}
    />
  );
}
