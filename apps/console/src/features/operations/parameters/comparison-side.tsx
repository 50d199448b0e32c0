import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Segmented, Select } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { queryOf } from '../../../shared/api/query.ts';
import { useTyped } from '../../../shared/hooks/use-typed.ts';
import css from '../operations.module.css';

/** The other side of a comparison: a device or a baseline of its model; id 0 while none is selected. */
export interface Side {
  kind: 'device' | 'baseline';
  id: number;
}

/** Parses a side from the URL: `device:12`, `baseline:3`. */
export function sideOf(text: string): Side {
  const [kind, id] = text.split(':');
  return { kind: kind === 'baseline' ? 'baseline' : 'device', id: Number.parseInt(id ?? '', 10) || 0 };
}

interface Props {
  deviceId: number;
  side: Side;
  onSide(side: string): void;
}

/** Selects the other side of a comparison. The server searches. */
export function ComparisonSide({ deviceId, side, onSide }: Props) {
  const { t } = useTranslation('parameters');
  return (
    <div className="field-row">
      <Segmented<Side['kind']>
        aria-label={t('compare.with')}
        value={side.kind}
        options={[
          { value: 'device', label: t('compare.device') },
          { value: 'baseline', label: t('compare.baseline') },
        ]}
        onChange={(kind) => onSide(`${kind}:`)}
      />
      {side.kind === 'device' ? (
        <DeviceChoice except={deviceId} value={side.id} onChange={(id) => onSide(`device:${id}`)} />
      ) : (
        <BaselineChoice deviceId={deviceId} value={side.id} onChange={(id) => onSide(`baseline:${id}`)} />
      )}
    </div>
  );
}

const PAGE = { page: 1, pageSize: 50, sort: 'name' } as const;

function DeviceChoice(props: { except: number; value: number; onChange(id: number): void }) {
  const { t } = useTranslation('parameters');
  const [search, setSearch] = useState('');
  const devices = useQuery({
    ...queryOf('listDevices', { query: { ...PAGE, search: search || undefined } }),
    placeholderData: keepPreviousData,
  });
  // When selected by URL, it may not be among the first fifty.
  const chosen = useQuery({
    ...queryOf('readDevice', { params: { id: props.value } }, { quiet: true }),
    enabled: props.value > 0,
  });
  const found = devices.data?.items.filter(({ id }) => id !== props.except) ?? [];
  const known = chosen.data && !found.some(({ id }) => id === props.value) ? [chosen.data] : [];
  const options = [...known, ...found].map(({ id, name, sn }) => ({ value: id, label: `${name} · ${sn}` }));
  return <Choice {...props} label={t('compare.chooseDevice')} options={options} onSearch={setSearch} search={search} />;
}

function BaselineChoice(props: { deviceId: number; value: number; onChange(id: number): void }) {
  const { t } = useTranslation('parameters');
  const [search, setSearch] = useState('');
  const baselines = useQuery({
    ...queryOf('listParameterBaselines', {
      params: { id: props.deviceId },
      query: { ...PAGE, search: search || undefined },
    }),
    placeholderData: keepPreviousData,
  });
  const options = baselines.data?.items.map(({ id, name }) => ({ value: id, label: name })) ?? [];
  return (
    <Choice {...props} label={t('compare.chooseBaseline')} options={options} onSearch={setSearch} search={search} />
  );
}

interface ChoiceProps {
  value: number;
  label: string;
  options: { value: number; label: string }[];
  search: string;
  onSearch(text: string): void;
  onChange(id: number): void;
}

function Choice({ value, label, options, search, onSearch, onChange }: ChoiceProps) {
  const typed = useTyped(search, onSearch);
  return (
    <Select<number>
      className={css.comparisonChoice}
      aria-label={label}
      placeholder={label}
      value={value > 0 && options.some((option) => option.value === value) ? value : undefined}
      showSearch={{ filterOption: false, searchValue: typed.text, onSearch: typed.type }}
      options={options}
      onChange={(id) => onChange(id)}
    />
  );
}
