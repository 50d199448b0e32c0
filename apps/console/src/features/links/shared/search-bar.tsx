import { Button, Input } from 'antd';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import css from './tools.module.css';

interface Props {
  text: string;
  onText(text: string): void;
  /** nothing can be found now */
  disabled: boolean;
  /** Enter goes to what is older, as in the output of a terminal; Shift+Enter goes the other way */
  backward?: boolean;
  onFind(forward: boolean): void;
  /** closed with Escape; its field then has the focus when it is opened */
  onClose?: () => void;
  /** what was found */
  children: ReactNode;
}

/** Finds a text in a terminal or a recording. */
export function SearchBar({ text, onText, disabled, backward = false, onFind, onClose, children }: Props) {
  const { t } = useTranslation('links');
  return (
    <search className={css.bar}>
      <Input
        className={css.find}
        size="small"
        autoFocus={onClose !== undefined}
        value={text}
        aria-label={t('terminal.searchField')}
        placeholder={t('terminal.searchField')}
        onChange={(event) => onText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') onClose?.();
          if (event.key === 'Enter') onFind(event.shiftKey === backward);
        }}
      />
      <Button size="small" disabled={disabled} onClick={() => onFind(false)}>
        {t('terminal.previous')}
      </Button>
      <Button size="small" disabled={disabled} onClick={() => onFind(true)}>
        {t('terminal.next')}
      </Button>
      <span role="status">{children}</span>
    </search>
  );
}
