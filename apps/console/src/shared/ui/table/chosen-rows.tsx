import { Checkbox } from 'antd';
import type { Column } from './column.ts';

interface Options<Row, Key> {
  rows: readonly Row[];
  keyOf(row: Row): Key;
  chosen: readonly Key[];
  onChange(chosen: Key[]): void;
  /** the accessible names of the checkboxes */
  labels: { all: string; of(row: Row): string };
  choosable?(row: Row): boolean;
}

/** The first column of a table whose rows can be selected. What is selected and not shown stays selected. */
export function chosenRows<Row, Key>(options: Options<Row, Key>): Column<Row> {
  const { keyOf, chosen, onChange, labels, choosable = () => true } = options;
  const keys = options.rows.filter(choosable).map(keyOf);
  const shown = keys.filter((key) => chosen.includes(key));
  const all = shown.length === keys.length && keys.length > 0;
  return {
    key: 'chosen',
    className: 'row-check',
    width: 36,
    title: (
      <Checkbox
        checked={all}
        indeterminate={shown.length > 0 && !all}
        disabled={keys.length === 0}
        aria-label={labels.all}
        onChange={() => onChange([...chosen.filter((key) => !keys.includes(key)), ...(all ? [] : keys)])}
      />
    ),
    render: (_, row) => (
      <Checkbox
        checked={chosen.includes(keyOf(row))}
        disabled={!choosable(row)}
        aria-label={labels.of(row)}
        onChange={({ target }) =>
          onChange(target.checked ? [...chosen, keyOf(row)] : chosen.filter((key) => key !== keyOf(row)))
        }
      />
    ),
  };
}
