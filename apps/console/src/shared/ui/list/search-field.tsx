import { SearchOutlined } from '@ant-design/icons';
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

/** The search field of a list: one of the browser, because a first list loads no other field. */
export function SearchField({ value = '', label, onSearch, className = 'filters-search' }: Props) {
  const typed = useTyped(value, (text) => onSearch(text || undefined));
  return (
    <span className={`search-field ${className}`}>
      <SearchOutlined aria-hidden="true" />
      <input
        type="search"
        value={typed.text}
        placeholder={label}
        aria-label={label}
        onChange={(event) => typed.type(event.target.value)}
        onKeyDown={(event) => event.key === 'Enter' && typed.settleNow(typed.text)}
      />
    </span>
  );
}
