import { useTranslation } from 'react-i18next';
import { type Selection, useChosen } from '../../hooks/lists/use-selection.ts';
import './row-check.css';

interface Choosable {
  id: number;
  name: string;
}

/**
 * The checkbox of one row, which the keyboard leaves out: Space selects the row that has the focus. It is the browser's own, because selecting a page renders a hundred of them: those of the
 * component library took most of the time.
 */
export function RowCheck(props: { selection: Selection; row: Choosable; disabled: boolean }) {
  const { selection, row, disabled } = props;
  const { t } = useTranslation();
  const checked = useChosen(selection, (names) => names.has(row.id));
  return (
    <input
      type="checkbox"
      className="row-checkbox"
      tabIndex={-1}
      checked={checked}
      disabled={disabled}
      aria-label={t('list.selectRow', { name: row.name })}
      onChange={({ target }) => selection.choose([row], target.checked)}
    />
  );
}

/** The checkbox in the header, for all selectable rows of the page. */
export function PageCheck({ selection, rows }: { selection: Selection; rows: readonly Choosable[] }) {
  const { t } = useTranslation();
  const count = useChosen(selection, (names) => rows.filter(({ id }) => names.has(id)).length);
  const all = count === rows.length && count > 0;
  return (
    <input
      type="checkbox"
      className="row-checkbox"
      ref={(box) => {
        if (box) box.indeterminate = count > 0 && !all;
      }}
      checked={all}
      disabled={rows.length === 0}
      aria-label={t('list.selectPage')}
      onChange={() => selection.choose(rows, !all)}
    />
  );
}
