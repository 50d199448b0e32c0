import type { ExplainedType } from '@chargehand/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Select } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/client.ts';
import { useTyped } from '../../hooks/use-typed.ts';

const PAGE = { page: 1, pageSize: 20 } as const;

interface Choice {
  value: number;
  label: string;
}

interface Props {
  id: string;
  objectType: Exclude<ExplainedType, 'role'>;
  value: number | undefined;
  onChange(id: number | undefined): void;
}

/** Selects an object that the caller sees. The server searches, except for folders, of which it lists all. */
export function ObjectChoice({ id, objectType, value, onChange }: Props) {
  const { t } = useTranslation('explain');
  const [wanted, setWanted] = useState('');
  const [chosen, setChosen] = useState<Choice | null>(null);
  const typed = useTyped(wanted, setWanted);
  const found = useQuery({
    queryKey: ['explainChoices', objectType, wanted],
    queryFn: ({ signal }) => choicesOf(objectType, wanted || undefined, signal),
    placeholderData: keepPreviousData,
  });
  const options = found.data ?? [];
  const missing = value !== undefined && !options.some((one) => one.value === value);
  const known = missing ? [{ value, label: chosen?.value === value ? chosen.label : `#${value}` }] : [];
  return (
    <Select<number | undefined, Choice>
      id={id}
      allowClear
      loading={found.isPending}
      showSearch={{ filterOption: false, searchValue: typed.text, onSearch: typed.type }}
      value={value}
      placeholder={t('why.rowHint')}
      popupMatchSelectWidth={false}
      options={[...known, ...options]}
      onChange={(next) => {
        setChosen(options.find((one) => one.value === next) ?? null);
        onChange(next);
      }}
    />
  );
}

/** The first matching rows, each with its place. */
async function choicesOf(
  objectType: Props['objectType'],
  search: string | undefined,
  signal: AbortSignal,
): Promise<Choice[]> {
  const options = { signal, quiet: true };
  switch (objectType) {
    case 'device': {
      const { items } = await call('listDevices', { query: { ...PAGE, search } }, options);
      return items.map((one) => ({ value: one.id, label: `${one.name} · ${one.sn}` }));
    }
    case 'site': {
      const { items } = await call('listSites', { query: { ...PAGE, search } }, options);
      return items.map((one) => ({ value: one.id, label: `${one.name} · ${one.code}` }));
    }
    case 'customer': {
      const { items } = await call('listCustomers', { query: { ...PAGE, search } }, options);
      return items.map((one) => ({ value: one.id, label: `${one.name} · ${one.code}` }));
    }
    case 'document': {
      const { items } = await call('listDocuments', { query: { ...PAGE, search } }, options);
      return items.map((one) => ({ value: one.id, label: `${one.title ?? one.name} · ${one.name}` }));
    }
    case 'attachment': {
      const { items } = await call('listAttachments', { query: { ...PAGE, below: true, search } }, options);
      return items.map((one) => ({ value: one.id, label: `${one.name} · ${one.folder ?? one.customer ?? '/'}` }));
    }
    case 'folder': {
      const { items } = await call('listFolders', { query: {} }, options);
      const wanted = search?.toLocaleLowerCase() ?? '';
      const found = items.filter(({ name }) => name.toLocaleLowerCase().includes(wanted)).slice(0, PAGE.pageSize);
      return found.map((one) => ({ value: one.id, label: `${one.name} · ${one.customer ?? '/'}` }));
    }
    case 'issue': {
      const { items } = await call('listIssues', { query: { ...PAGE, tab: 'all', search } }, options);
      return items.map((one) => ({ value: one.id, label: `${one.key} ${one.title} · ${one.customerName}` }));
    }
    case 'share': {
      const { items } = await call('listShares', { query: { ...PAGE, search } }, options);
      return items.map((one) => ({ value: one.id, label: `${one.object.name} · ${one.createdBy}` }));
    }
    case 'user': {
      const { items } = await call('listUsers', { query: { ...PAGE, search } }, options);
      return items.map((one) => ({ value: one.id, label: `${one.userName} · ${one.customerName}` }));
    }
  }
}
