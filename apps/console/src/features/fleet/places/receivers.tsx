import type { ReceiverRow } from '@chargehand/contract';
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { Button, Select } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../shared/api/client.ts';
import { queryOf, refresh } from '../../../shared/api/query.ts';
import { useList } from '../../../shared/hooks/lists/use-list.ts';
import { useTyped } from '../../../shared/hooks/use-typed.ts';
import { useRoleName } from '../../../shared/i18n/use-role-name.ts';
import type { ListSpec } from '../../../shared/lib/lists/list-query.ts';
import { toast } from '../../../shared/ui/dialogs/toast.ts';
import { type DataColumn, DataTable } from '../../../shared/ui/list-page/data-table.tsx';
import { CardLine, ListCard } from '../../../shared/ui/list-page/list-card.tsx';
import { Tag } from '../../../shared/ui/tags/tag.tsx';
import { Dash } from '../../../shared/ui/values/time-ago.tsx';
import { Confirm } from './confirm.tsx';
import css from './places.module.css';
import '../../../shared/ui/list-page/filter-bar.css';

const filters = {} as const;
const SPEC: ListSpec<typeof filters, 'userName'> = { filters, sorts: ['userName'] };
const CHANGED = ['listReceivers', 'listReceiverCandidates'] as const;

/** The notification recipients of a site, and users who could be added. */
export function Receivers({ siteId, mayEdit }: { siteId: number; mayEdit: boolean }) {
  const { t } = useTranslation('places');
  const [leaving, setLeaving] = useState<ReceiverRow | null>(null);
  const list = useList(SPEC, 'listReceivers', (query) => ({ params: { id: siteId }, query }));
  const remove = (user: ReceiverRow) => (
    <Button
      size="small"
      type="text"
      aria-label={t('receivers.removeLabel', { name: user.userName })}
      onClick={() => setLeaving(user)}
    >
      {t('receivers.remove')}
    </Button>
  );
  const roleNameOf = useRoleName();
  const columns: DataColumn<ReceiverRow, 'userName'>[] = [
    { title: t('user.userName'), sortBy: 'userName', render: (_, user) => <strong>{user.userName}</strong> },
    { title: t('user.nickName'), render: (_, user) => user.nickName || <Dash /> },
    { title: t('customer'), render: (_, user) => user.customerName },
    { title: t('user.role'), render: (_, user) => roleNameOf(user.roleName) ?? t('user.root') },
    { title: t('user.email'), render: (_, user) => user.email ?? <Dash /> },
    { title: t('state'), render: (_, user) => <Reach user={user} /> },
  ];
  return (
    <div className="stack">
      <p className="quiet">{t('receivers.hint')}</p>
      {mayEdit && <Adder siteId={siteId} />}
      <DataTable
        label={t('receivers.title')}
        list={list}
        columns={columns}
        rowActions={mayEdit ? remove : undefined}
        empty={t('receivers.none')}
        compact={(user) => (
          <ListCard title={user.userName} aside={mayEdit && remove(user)}>
            <CardLine>
              <span>{user.email ?? user.nickName}</span>
              <Reach user={user} />
            </CardLine>
          </ListCard>
        )}
      />
      {leaving && (
        <Confirm
          title={t('receivers.removeTitle', { name: leaving.userName })}
          ok={t('receivers.remove')}
          run={() => call('removeReceiver', { params: { id: siteId, userId: leaving.id } }, { quiet: true })}
          done={t('receivers.removed', { name: leaving.userName })}
          refreshes={CHANGED}
          onClose={() => setLeaving(null)}
        >
          <p>{t('receivers.removeText')}</p>
        </Confirm>
      )}
    </div>
  );
}

/** Whether a recipient can be notified, and if not, why. */
function Reach({ user }: { user: ReceiverRow }) {
  const { t } = useTranslation('places');
  if (user.reachable) {
    return (
      <Tag tone="plain" glyph="check">
        {t('receivers.reachable')}
      </Tag>
    );
  }
  return (
    <Tag tone="plain" glyph="bar">
      {user.email === null ? t('receivers.noEmail') : t('disabled')}
    </Tag>
  );
}

/** Finds users who are not recipients yet and adds them when selected. The server searches. */
function Adder({ siteId }: { siteId: number }) {
  const { t } = useTranslation('places');
  const [wanted, setWanted] = useState('');
  const [needed, setNeeded] = useState(false);
  const typed = useTyped(wanted, setWanted);
  const query = { page: 1, pageSize: 50, search: wanted || undefined } as const;
  const users = useQuery({
    ...queryOf('listReceiverCandidates', { params: { id: siteId }, query }),
    enabled: needed,
    placeholderData: keepPreviousData,
  });
  const add = useMutation({
    mutationFn: (userId: number) => call('addReceiver', { params: { id: siteId }, body: { userId } }),
    onSuccess: async (_, userId) => {
      const name = users.data?.items.find(({ id }) => id === userId)?.userName ?? '';
      toast.success(t('receivers.added', { name }));
      typed.settleNow('');
      await refresh(...CHANGED);
    },
  });
  return (
    <div className="filters">
      <Select<number>
        className={css.receiverAdder}
        value={null}
        showSearch={{ filterOption: false, searchValue: typed.text, onSearch: typed.type }}
        placeholder={t('receivers.add')}
        aria-label={t('receivers.add')}
        loading={add.isPending || (users.isFetching && needed)}
        disabled={add.isPending}
        notFoundContent={users.isPending ? undefined : t('receivers.nobody')}
        popupMatchSelectWidth={false}
        options={users.data?.items.map((user) => ({ value: user.id, label: user.userName, user }))}
        optionRender={({ data }) => (
          <span className="picker-option">
            <span>{data.label}</span>
            <span className="quiet">{[data.user.nickName, data.user.customerName].filter(Boolean).join(' · ')}</span>
          </span>
        )}
        onOpenChange={(open) => setNeeded((before) => before || open)}
        onChange={(id) => add.mutate(id)}
      />
    </div>
  );
}
