import { Input } from 'antd';
import type { FilterField } from '../../hooks/lists/use-list-query.ts';
import { useTyped } from '../../hooks/use-typed.ts';
import { instantOf, wallTimeOf } from '../../lib/time/wall-time.ts';

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
  return (
    <span className="filters-times">
      <FilterTime label={props.labels[0]} {...props.from} />
      {'–'}
      <FilterTime label={props.labels[1]} {...props.to} />
    </span>
  );
}

function FilterTime(props: FilterField<string> & { label: string }) {
  const at = Date.parse(props.value ?? '');
  return (
    <input
      type="datetime-local"
      className="time-input"
      aria-label={props.label}
      title={props.label}
      value={Number.isNaN(at) ? '' : wallTimeOf(at)}
      onChange={(event) => {
        const next = instantOf(event.target.value);
        props.onChange(Number.isNaN(next) ? undefined : new Date(next).toISOString());
      }}
    />
  );
}
