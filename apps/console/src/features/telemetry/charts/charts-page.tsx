import { MAX_CHART_DEVICES } from '@chargehand/contract/constants';
import { DEVICE_LEVELS, type Levels, levelSuffices } from '@chargehand/domain';
import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query';
import { Select } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../shared/api/client.ts';
import { queryOf } from '../../../shared/api/query.ts';
import { useAddress } from '../../../shared/hooks/lists/use-address.ts';
import { useTyped } from '../../../shared/hooks/use-typed.ts';
import { useDevicesStream } from '../../../shared/live/use-live.ts';
import { useUser } from '../../../shared/session/use-user.ts';
import { Page } from '../../../shared/ui/page/page-header.tsx';
import { EmptyState } from '../../../shared/ui/states/empty-state.tsx';
import { ErrorState } from '../../../shared/ui/states/error-state.tsx';
import { SkeletonRows } from '../../../shared/ui/states/skeleton-rows.tsx';
import { failedOf } from '../chart-data/chart-queries.ts';
import css from './charts.module.css';
import { Charts } from './charts.tsx';

/** The readings of several devices in common charts. */
export default function ChartsPage() {
  const { t } = useTranslation('telemetry');
  const { info } = useUser();
  const [search, setSearch] = useAddress();
  const ids = idsOf(search.get('devices'));
  const found = useQueries({
    queries: ids.map((id) => queryOf('readDevice', { params: { id } }, { quiet: true })),
  });
  const known = found.flatMap(({ data }) => (data ? [{ id: data.id, name: data.name, protocol: data.protocol }] : []));
  useDevicesStream(known.map(({ id }) => id));
  const failed = failedOf(found);
  const choose = (next: readonly number[]) =>
    setSearch((params) => {
      if (next.length > 0) params.set('devices', next.join(','));
      else params.delete('devices');
      return params;
    });
  return (
    <Page title={t('charts.several')}>
      <div className="stack">
        <DevicesChoice chosen={ids} names={new Map(known.map(({ id, name }) => [id, name]))} onChange={choose} />
        {ids.length === 0 ? (
          <EmptyState text={t('charts.noDevices')} />
        ) : failed ? (
          <ErrorState error={failed.error} onRetry={() => void failed.refetch()} />
        ) : known.length < ids.length ? (
          <SkeletonRows rows={8} />
        ) : (
          <Charts
            key={ids.join()}
            devices={known}
            mayDownload={levelSuffices((info.role.levels as Levels).device.download, DEVICE_LEVELS.download)}
          />
        )}
      </div>
    </Page>
  );
}

function idsOf(text: string | null): number[] {
  const ids = (text ?? '').split(',').filter((id) => /^[1-9]\d{0,9}$/.test(id));
  return [...new Set(ids.map(Number))].slice(0, MAX_CHART_DEVICES);
}

interface ChoiceProps {
  chosen: number[];
  names: ReadonlyMap<number, string>;
  onChange(ids: number[]): void;
}

/** Selects devices in the user's scope. The server searches by name and SN. */
function DevicesChoice({ chosen, names, onChange }: ChoiceProps) {
  const { t } = useTranslation('telemetry');
  const [wanted, setWanted] = useState('');
  const typed = useTyped(wanted, setWanted);
  const found = useQuery({
    queryKey: ['chartDevices', wanted],
    queryFn: ({ signal }) =>
      call('listDevices', { query: { page: 1, pageSize: 20, search: wanted || undefined } }, { signal, quiet: true }),
    placeholderData: keepPreviousData,
  });
  const options = (found.data?.items ?? []).map(({ id, name, sn }) => ({ value: id, label: `${name} · ${sn}` }));
  const missing = chosen.filter((id) => !options.some(({ value }) => value === id));
  return (
    <Select<number[]>
      mode="multiple"
      className={css.chartsDevices}
      maxCount={MAX_CHART_DEVICES}
      value={chosen}
      loading={found.isPending}
      placeholder={t('charts.chooseDevices')}
      aria-label={t('charts.devices')}
      showSearch={{ filterOption: false, searchValue: typed.text, onSearch: typed.type }}
      options={[...missing.map((id) => ({ value: id, label: names.get(id) ?? `#${id}` })), ...options]}
      onChange={onChange}
    />
  );
}
