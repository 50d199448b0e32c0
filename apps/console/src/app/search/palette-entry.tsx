import type { MouseEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { StatusTag } from '../../shared/ui/tags/status-tag.tsx';
import { Tag } from '../../shared/ui/tags/tag.tsx';
import type { Entry } from './entries.ts';
import css from './palette.module.css';

interface Props {
  id: string;
  entry: Entry;
  chosen: boolean;
  onChoose(): void;
  onOpen(newTab: boolean): void;
}

/** One option of the search. The focus stays in the field, so a press does not take it. */
export function PaletteEntry({ id, entry, chosen, onChoose, onOpen }: Props) {
  const { t } = useTranslation('search');
  const { title, code, within, hit } = entry;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys of the listbox
    // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus (aria-activedescendant)
    <div
      id={id}
      role="option"
      aria-selected={chosen}
      className={css.entry}
      onMouseDown={(event) => event.preventDefault()}
      onMouseMove={() => !chosen && onChoose()}
      onClick={(event: MouseEvent) => onOpen(event.ctrlKey || event.metaKey)}
      onAuxClick={(event: MouseEvent) => event.button === 1 && onOpen(true)}
    >
      <span className={css.name}>
        <span className="breaks">{title}</span>
        {code && (
          <span className={css.code} translate="no">
            {code}
          </span>
        )}
        {within && <span className={css.within}>{within}</span>}
      </span>
      {hit?.status && <StatusTag status={hit.status} />}
      {hit && !hit.status && !hit.enabled && (
        <Tag tone="disabled" glyph="bar">
          {t(hit.issueClosed ? 'closed' : 'disabled')}
        </Tag>
      )}
    </div>
  );
}
