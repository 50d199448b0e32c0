import { MAIL_STATES, type MailRow, POLL_MS } from '@chargehand/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Select } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { queryOf } from '../../shared/api/query.ts';
import { useListQuery } from '../../shared/hooks/use-list-query.ts';
import type { ListSpec } from '../../shared/lib/list-query.ts';
import { type DataColumn, DataTable } from '../../shared/ui/data-table.tsx';
import { SearchField } from '../../shared/ui/list/search-field.tsx';
import { Page } from '../../shared/ui/page-header.tsx';
import { Dash, ExactTime, TimeAgo } from '../../shared/ui/time-ago.tsx';
import { MailDrawer } from './mail-drawer.tsx';
import { MailState } from './mail-state.tsx';
import './mails.css';

const filters = { search: 'text', status: 'text' } as const;
const SPEC: ListSpec<typeof filters, 'createdAt'> = { filters, sorts: ['createdAt'] };

/** What the product wrote to whom, and what became of it. For root alone. */
export default function MailListPage() {
  const { t } = useTranslation('mails');
  const { t: common } = useTranslation();
  const { t: routes } = useTranslation('routes');
  const list = useListQuery(SPEC);
  const { status: given, ...rest } = list.query;
  const status = MAIL_STATES.find((state) => state === given);
  const mails = useQuery({
    ...queryOf('listMails', { query: { ...rest, status } }, { quiet: true }),
    placeholderData: keepPreviousData,
    refetchInterval: POLL_MS,
  });
  const [open, setOpen] = useState<number | null>(null);
  const delivers = mails.data?.delivers ?? true;

  const columns: DataColumn<MailRow, 'createdAt'>[] = [
    {
      name: 'receiver',
      always: true,
      title: t('receiver'),
      render: (_, mail) => (
        <button
          type="button"
          className="text-button"
          aria-label={t('open', { receiver: mail.receiver })}
          onClick={() => setOpen(mail.id)}
        >
          {mail.receiver}
        </button>
      ),
    },
    { name: 'subject', title: t('subject'), dataIndex: 'subject' },
    { name: 'state', title: t('state'), render: (_, mail) => <MailState state={mail.state} delivers={delivers} /> },
    {
      name: 'createdAt',
      title: t('createdAt'),
      sortBy: 'createdAt',
      render: (_, mail) => <ExactTime at={mail.createdAt} />,
    },
    { name: 'sentAt', title: t('sentAt'), render: (_, mail) => <ExactTime at={mail.sentAt} /> },
    { name: 'attempts', title: t('attempts'), dataIndex: 'attempts', align: 'end' },
    { name: 'nextAttempt', title: t('nextAttempt'), render: (_, mail) => <ExactTime at={mail.nextAttemptAt} /> },
    {
      name: 'lastError',
      title: t('lastError'),
      render: (_, mail) =>
        mail.lastError ? (
          <span className="mail-error" title={mail.lastError}>
            {mail.lastError}
          </span>
        ) : (
          <Dash />
        ),
    },
  ];

  return (
    <Page title={routes('outgoingMails')}>
      {!delivers && <p className="warning-note">{t('keeping')}</p>}
      <search className="mail-filters">
        <SearchField
          className="mail-search"
          value={rest.search}
          label={t('search')}
          onSearch={(search) => list.change({ search })}
        />
        <Select
          allowClear
          value={status}
          placeholder={t('state')}
          aria-label={t('state')}
          options={MAIL_STATES.map((value) => ({
            value,
            label: value === 'waiting' && !delivers ? t('states.kept') : t(`states.${value}`),
          }))}
          onChange={(next) => list.change({ status: next })}
        />
        {list.filtered && (
          <button type="button" className="text-button" onClick={list.clear}>
            {common('table.clear')}
          </button>
        )}
      </search>
      <DataTable
        label={routes('outgoingMails')}
        query={mails}
        list={list}
        columns={columns}
        rowKey="id"
        keep="mails"
        onOpen={(mail) => setOpen(mail.id)}
        empty={{ text: t('empty') }}
        compact={(mail) => (
          <div className="mail-card">
            <strong>{mail.receiver}</strong>
            <span className="quiet">{mail.subject}</span>
            <span className="mail-card-line">
              <MailState state={mail.state} delivers={delivers} />
              <span className="quiet">
                <TimeAgo at={mail.createdAt} />
              </span>
            </span>
          </div>
        )}
      />
      {open !== null && <MailDrawer key={open} id={open} delivers={delivers} onClose={() => setOpen(null)} />}
    </Page>
  );
}
