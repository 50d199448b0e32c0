import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Select } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { queryOf } from '../../../shared/api/query.ts';
import { useTyped } from '../../../shared/hooks/use-typed.ts';
import { usePermitted } from '../../../shared/session/permitted.tsx';
import { useUser } from '../../../shared/session/use-user.ts';

/**
 * Selects the assignee of a new issue: the user, or one of those whom the user may list. The server checks that they can
 * see the issue.
 */
export function AssigneeField(props: { id?: string; value?: number | null; onChange?(id: number | null): void }) {
  const { id, value, onChange } = props;
  const { t } = useTranslation('issues');
  const { user } = useUser();
  const lists = usePermitted(['auth_user_list']);
  const [wanted, setWanted] = useState('');
  const [opened, setOpened] = useState(false);
  const typed = useTyped(wanted, setWanted);
  const users = useQuery({
    ...queryOf(
      'listUsers',
      { query: { page: 1, pageSize: 20, sort: 'userName', search: wanted || undefined, status: 'enabled' } },
      { quiet: true },
    ),
    enabled: lists && opened,
    placeholderData: keepPreviousData,
  });
  const others = (users.data?.items ?? []).filter((one) => one.id !== user.id);
  const options = [
    ...(wanted === '' ? [{ value: user.id, label: t('assignToMe') }] : []),
    ...others.map((one) => ({ value: one.id, label: one.nickName || one.userName })),
  ];
  return (
    <Select<number | null>
      {...(id !== undefined && { id })}
      allowClear
      showSearch={{ filterOption: false, searchValue: typed.text, onSearch: typed.type }}
      value={value ?? null}
      placeholder={t('unassigned')}
      loading={users.isFetching}
      options={options}
      onOpenChange={(open) => {
        if (open) setOpened(true);
        else typed.settleNow('');
      }}
      onChange={(chosen) => onChange?.(chosen ?? null)}
    />
  );
}
