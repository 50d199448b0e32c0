import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Select } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { queryOf } from '../../../shared/api/query.ts';
import { useTyped } from '../../../shared/hooks/use-typed.ts';

export interface GivenIssue {
  id: number;
  key: string;
  title: string;
}

interface Props {
  id: string;
  deviceId: number;
  /** an issue that is offered in any case */
  given: GivenIssue | null;
  value: number | undefined;
  onChange(id: number | undefined): void;
}

/** Selects an open issue of a device. The server searches. */
export function DeviceIssueSelect({ id, deviceId, given, value, onChange }: Props) {
  const { t } = useTranslation('links');
  const [wanted, setWanted] = useState('');
  const typed = useTyped(wanted, setWanted);
  const search = wanted === '' ? undefined : wanted;
  const issues = useQuery({
    ...queryOf(
      'listIssues',
      { query: { page: 1, pageSize: 20, sort: '-createdAt', tab: 'open', deviceId, search } },
      { quiet: true },
    ),
    placeholderData: keepPreviousData,
  });
  const found: GivenIssue[] = issues.data?.items ?? [];
  const offered = given && !found.some((one) => one.id === given.id) ? [given, ...found] : found;
  return (
    <Select<number>
      id={id}
      allowClear
      showSearch={{ filterOption: false, searchValue: typed.text, onSearch: typed.type }}
      value={value ?? null}
      placeholder={t('request.issueSearch')}
      loading={issues.isFetching}
      options={offered.map((one) => ({ value: one.id, label: `${one.key} ${one.title}` }))}
      onChange={(next: number | undefined) => onChange(next)}
      notFoundContent={t('request.issueNone')}
    />
  );
}
