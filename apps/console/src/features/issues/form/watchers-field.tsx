import { ISSUE_WATCHERS } from '@chargehand/domain';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Select } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { queryOf } from '../../../shared/api/query.ts';
import { useTyped } from '../../../shared/hooks/use-typed.ts';
import { useUser } from '../../../shared/session/use-user.ts';
import { type IssueReaders, usersWhoSee } from '../shared/issue-readers.ts';

/** Selects the watchers of a new issue. The user watches it anyway and is not listed. */
export function WatchersField(props: {
  /** null: what the issue is about is not chosen yet */
  readers: IssueReaders | null;
  id?: string;
  value?: number[];
  onChange?(ids: number[]): void;
}) {
  const { readers, id, value = [], onChange } = props;
  const { t } = useTranslation('issue');
  const { user } = useUser();
  const [names, setNames] = useState<ReadonlyMap<number, string>>(new Map());
  const [wanted, setWanted] = useState('');
  const [opened, setOpened] = useState(false);
  const typed = useTyped(wanted, setWanted);
  const users = useQuery({
    ...queryOf(...usersWhoSee(readers ?? { kind: 'site', id: 0 }, wanted), { quiet: true }),
    enabled: opened && readers !== null,
    placeholderData: keepPreviousData,
  });
  const found = readers === null ? [] : (users.data?.items ?? []).filter((one) => one.id !== user.id);
  const listed = new Set(found.map((one) => one.id));
  return (
    <Select<number[], { value: number; label: string; note: string }>
      {...(id !== undefined && { id })}
      mode="multiple"
      maxCount={ISSUE_WATCHERS}
      showSearch={{ filterOption: false, searchValue: typed.text, onSearch: typed.type }}
      value={value}
      placeholder={t('form.watchersHint')}
      loading={users.isFetching}
      options={[
        ...found.map((one) => ({ value: one.id, label: one.name, note: one.userName })),
        ...value
          .filter((one) => !listed.has(one))
          .map((one) => ({ value: one, label: names.get(one) ?? String(one), note: '' })),
      ]}
      optionRender={({ data }) => (
        <>
          {data.label} {data.note && <span className="quiet">{data.note}</span>}
        </>
      )}
      onOpenChange={(open) => {
        if (open) setOpened(true);
        else typed.settleNow('');
      }}
      onChange={(ids) => {
        setNames(new Map([...names, ...found.map((one) => [one.id, one.name] as const)]));
        onChange?.(ids);
      }}
      notFoundContent={t(readers === null ? 'form.subjectFirst' : users.isError ? 'form.usersFailed' : 'form.noUsers')}
    />
  );
}
