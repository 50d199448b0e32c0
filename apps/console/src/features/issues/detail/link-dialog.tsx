import type { IssueDetail } from '@chargehand/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Select } from 'antd';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../shared/api/client.ts';
import { queryOf, refresh } from '../../../shared/api/query.ts';
import { useTyped } from '../../../shared/hooks/use-typed.ts';
import { Confirm } from '../../../shared/ui/dialogs/confirm.tsx';
import { CHANGED_QUERIES } from '../shared/changed-queries.ts';

/** How an issue is connected with another one. */
export type LinkWay = 'duplicate' | 'cause' | 'merge';

/** Connects an issue with another one of its customer, which is found by number, title or device. */
export function LinkDialog(props: { issue: IssueDetail; way: LinkWay; onClose(): void }) {
  const { issue, way, onClose } = props;
  const { t } = useTranslation('issue');
  const id = useId();
  const [chosen, setChosen] = useState<number>();
  const [wanted, setWanted] = useState('');
  const typed = useTyped(wanted, setWanted);
  const search = wanted === '' ? undefined : wanted;
  const found = useQuery({
    ...queryOf(
      'listIssues',
      { query: { page: 1, pageSize: 20, sort: '-createdAt', tab: 'all', customerId: issue.customerId, search } },
      { quiet: true },
    ),
    placeholderData: keepPreviousData,
  });
  const others = found.data?.items.filter((one) => one.id !== issue.id && one.mergedInto === null) ?? [];
  return (
    <Confirm
      title={t(`link.${way}.title`, { issue: issue.key })}
      ok={t(`link.${way}.ok`)}
      width={520}
      ready={chosen !== undefined}
      entered={chosen}
      run={async () => {
        if (chosen === undefined) return;
        const params = { id: issue.id };
        if (way === 'merge') await call('mergeIssue', { params, body: { issueId: chosen } }, { quiet: true });
        else await call('linkIssue', { params, body: { issueId: chosen, kind: way } }, { quiet: true });
        void refresh(...CHANGED_QUERIES);
      }}
      onDone={onClose}
      onClose={onClose}
    >
      <p>{t(`link.${way}.text`)}</p>
      <label htmlFor={id}>{t('link.other')}</label>
      <Select<number>
        id={id}
        showSearch={{ filterOption: false, searchValue: typed.text, onSearch: typed.type }}
        value={chosen ?? null}
        placeholder={t('link.search')}
        loading={found.isFetching}
        options={others.map((one) => ({ value: one.id, label: `${one.key} ${one.title}` }))}
        onChange={setChosen}
        notFoundContent={found.isError ? t('link.failed') : t('link.nothing')}
      />
    </Confirm>
  );
}
