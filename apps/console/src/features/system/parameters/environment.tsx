import type { EnvironmentSetting } from '@chargehand/contract';
import { useQuery } from '@tanstack/react-query';
import { Checkbox } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { queryOf } from '../../../shared/api/query.ts';
import { useMedia } from '../../../shared/hooks/use-media.ts';
import { ErrorState } from '../../../shared/ui/states/error-state.tsx';
import { SkeletonRows } from '../../../shared/ui/states/skeleton-rows.tsx';
import type { Column } from '../../../shared/ui/table/column.ts';
import { Table } from '../../../shared/ui/table/table.tsx';
import { Dash } from '../../../shared/ui/values/time-ago.tsx';
import { useParameterTexts } from './parameter-texts.ts';
import '../../../shared/ui/list-page/data-table.css';
import css from './parameters.module.css';

/** The environment variables of the server. They are changed on the server and need a restart. */
export function Environment() {
  const { t } = useTranslation('system-parameters');
  const settings = useQuery(queryOf('listEnvironmentSettings', {}));
  const narrow = useMedia('(max-width: 760px)');
  const [onlySet, setOnlySet] = useState(false);
  if (!settings.data) {
    return settings.isError ? (
      <ErrorState error={settings.error} onRetry={() => void settings.refetch()} />
    ) : (
      <SkeletonRows />
    );
  }
  const columns: Column<EnvironmentSetting>[] = [
    { title: t('environment.name'), width: 330, render: (_, row) => <code className={css.name}>{row.name}</code> },
    { title: t('environment.value'), width: 260, render: (_, row) => <Value row={row} /> },
    { title: t('environment.meaning'), render: (_, row) => <Meaning row={row} /> },
  ];
  const compact = (row: EnvironmentSetting) => (
    <div className={css.setting}>
      <code className={css.name}>{row.name}</code>
      <Value row={row} />
      <Meaning row={row} />
    </div>
  );
  return (
    <div className="stack">
      <p className="quiet">{t('environment.note')}</p>
      <p>
        <Checkbox checked={onlySet} onChange={(event) => setOnlySet(event.target.checked)}>
          {t('environment.onlySet')}
        </Checkbox>
      </p>
      <div className="data-table">
        <Table<EnvironmentSetting>
          label={t('tabs.environment')}
          rowKey="name"
          showHeader={!narrow}
          rows={settings.data.items.filter(({ set }) => set || !onlySet)}
          columns={narrow ? [{ key: 'row', render: (_, row) => compact(row) }] : columns}
        />
      </div>
    </div>
  );
}

function Value({ row: { value, set } }: { row: EnvironmentSetting }) {
  const { t } = useTranslation('system-parameters');
  if (value === null) return <Dash />;
  return (
    <span className="breaks">
      <code>{value}</code>
      {!set && <span className="quiet"> {t('isDefault')}</span>}
    </span>
  );
}

function Meaning({ row: { meaning, parameter } }: { row: EnvironmentSetting }) {
  const { t } = useTranslation('system-parameters');
  const texts = useParameterTexts();
  return (
    <span>
      {withoutLinks(meaning)}
      {parameter !== null && (
        <span className="quiet"> {t('environment.parameter', { name: texts.label(parameter) })}</span>
      )}
    </span>
  );
}

/** The text of a link in the manual without its address, which is a file there. */
function withoutLinks(text: string): string {
  return text.replaceAll(/\[([^[\]]{1,100})\]\([^()]{1,200}\)/g, '$1');
}
