import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Select } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { queryOf } from '../../../shared/api/query.ts';
import { useTyped } from '../../../shared/hooks/use-typed.ts';
import { useUser } from '../../../shared/session/use-user.ts';
import { type IssueReaders, usersWhoSee } from './issue-readers.ts';
import css from './issue-user-select.module.css';

interface Props {
  /** null: what a new issue is about is not chosen yet, and only the caller can be */
  readers: IssueReaders | null;
  id?: string;
  /** the accessible name, when no label refers to `id` */
  label?: string;
  value: number | null | undefined;
  /** the name of the value, if known */
  knownAs?: string | undefined;
  onChange(id: number | null): void;
}

/** Selects a user who can see an issue, the caller first. The server searches. */
export function IssueUserSelect({ readers, id, label, value, knownAs, onChange }: Props) {
  const { t } = useTranslation('issues');
  const { user } = useUser();
  const [wanted, setWanted] = useState('');
  const [opened, setOpened] = useState(false);
  const typed = useTyped(wanted, setWanted);
  const users = useQuery({
    ...queryOf(...usersWhoSee(readers ?? { kind: 'site', id: 0 }, wanted)),
    enabled: opened && readers !== null,
    placeholderData: keepPreviousData,
  });
  const others = (readers === null ? [] : (users.data?.items ?? [])).filter(
    (one) => wanted !== '' || one.id !== user.id,
  );
  const own = { value: user.id, label: t('assignToMe'), note: '' };
  const found = others.map((one) => ({ value: one.id, label: one.name, note: one.userName }));
  const options = wanted === '' ? [own, ...found] : found;
  const isKnown = value === null || value === undefined || options.some((option) => option.value === value);
  const all = isKnown ? options : [{ value, label: knownAs ?? String(value), note: '' }, ...options];
  return (
    <Select<number, (typeof options)[number]>
      {...(id !== undefined && { id })}
      {...(label !== undefined && { 'aria-label': label })}
      className={css.select}
      allowClear
      showSearch={{ filterOption: false, searchValue: typed.text, onSearch: typed.type }}
      value={value ?? null}
      placeholder={t('unassigned')}
      loading={users.isFetching}
      options={all}
      popupMatchSelectWidth={false}
      onOpenChange={(open) => {
        if (open) setOpened(true);
        else typed.settleNow('');
      }}
      onChange={(chosen: number | undefined) => onChange(chosen ?? null)}
      optionRender={({ data }) => (
        <span className={css.option}>
          <span>{data.label}</span>
          {data.note && <span className="quiet">{data.note}</span>}
        </span>
      )}
    />
  );
}
