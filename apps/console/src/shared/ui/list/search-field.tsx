import { Input } from 'antd';
import { useTyped } from '../../hooks/use-typed.ts';
import '../list-page/filter-bar.css';

interface Props {
  /** the current search text */
  value: string | undefined;
  label: string;
  /** Called when the user stops typing; undefined: no search. */
  onSearch(text: string | undefined): void;
  className?: string;
}

/** The search field of a list. */
export function SearchField({ value = '', label, onSearch, className = 'filters-search' }: Props) {
  const typed = useTyped(value, (text) => onSearch(text || undefined));
  return (
    <Input.Search
      className={className}
      allowClear
      value={typed.text}
      placeholder={label}
      aria-label={label}
      onChange={(event) => typed.type(event.target.value)}
      onSearch={typed.settleNow}
    />
  );
}
