import { Button, Select } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Answer } from '../../../shared/api/client.ts';
import { Panel } from '../../../shared/ui/page/page-header.tsx';
import css from './import.module.css';
import { FIELDS } from './import-formats.tsx';

type Field = (typeof FIELDS)[number]['field'];
/** The heading of the column of each field. */
export type ImportColumns = Partial<Record<Field, string>>;

/** Asks once for a file which column of its sheet is which field. */
export function ImportColumnChoice(props: {
  headings: Exclude<Answer<'importDevices'>['headings'], null>;
  onChosen(columns: ImportColumns): void;
}) {
  const { headings, onChosen } = props;
  const { t } = useTranslation('devices');
  const [columns, setColumns] = useState<ImportColumns>(() =>
    Object.fromEntries(headings.flatMap(({ heading, field }) => (field === null ? [] : [[field, heading]]))),
  );
  const ready = FIELDS.every(({ field, needed }) => !needed || columns[field] !== undefined);
  const options = [...new Set(headings.map(({ heading }) => heading))].map((value) => ({ value, label: value }));
  return (
    <Panel title={t('import.chooseColumns')}>
      <form
        className={css.importColumns}
        onSubmit={(event) => {
          event.preventDefault();
          if (ready) onChosen(columns);
        }}
      >
        <p>{t('import.chooseColumnsText')}</p>
        {FIELDS.map(({ field, needed, column }) => (
          <div key={field} className={css.importColumn}>
            <label htmlFor={`column-${field}`}>
              {t(`import.headings.${column}`)}
              {needed && <span className="quiet">{` · ${t('import.needed')}`}</span>}
            </label>
            <Select<string>
              id={`column-${field}`}
              allowClear
              showSearch
              value={columns[field] ?? null}
              placeholder={t('import.noColumn')}
              options={options}
              onChange={(heading) => {
                const { [field]: _, ...others } = columns;
                setColumns(heading ? { ...others, [field]: heading } : others);
              }}
            />
          </div>
        ))}
        <Button type="primary" htmlType="submit" disabled={!ready}>
          {t('import.checkRows')}
        </Button>
      </form>
    </Panel>
  );
}
