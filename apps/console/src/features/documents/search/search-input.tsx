import { SEARCH_LENGTH } from '@chargehand/domain';
import { Input } from 'antd';
import { useState } from 'react';
import { useTyped } from '../../../shared/hooks/use-typed.ts';
import css from '../documents.module.css';

interface Props {
  value: string;
  label: string;
  onSearch(text: string): void;
  /** searches only on Enter, not while typing */
  onEnter?: boolean;
}

/**
 * The search field of documents. It searches when the user stops typing. What an input method is still composing is not
 * searched: it is letters, not yet Chinese.
 */
export function SearchInput({ value, label, onSearch, onEnter = false }: Props) {
  const typed = useTyped(value, onSearch);
  const [composed, setComposed] = useState<string | null>(null);
  const enter = (text: string) => (onEnter ? setComposed(text) : typed.type(text));
  return (
    <Input.Search
      className={css.search}
      size="large"
      allowClear
      autoFocus
      value={composed ?? typed.text}
      maxLength={SEARCH_LENGTH}
      placeholder={label}
      aria-label={label}
      onChange={(event) => {
        const text = event.target.value;
        if ((event.nativeEvent as InputEvent).isComposing) return setComposed(text);
        setComposed(null);
        enter(text);
      }}
      onCompositionEnd={(event) => {
        setComposed(null);
        enter(event.currentTarget.value);
      }}
      onSearch={(text) => {
        setComposed(null);
        typed.settleNow(text);
      }}
    />
  );
}
