import type { MailRow } from '@chargehand/contract';
import { MAIL_STATES, POLL_MS } from '@chargehand/contract/constants';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useList } from '../../shared/hooks/lists/use-list.ts';
import type { ListSpec } from '../../shared/lib/lists/list-query.ts';
import type { DataColumn } from '../../shared/ui/list-page/data-table.tsx';
import { FilterSelect } from '../../shared/ui/list-page/filter-bar.tsx';
import { CardLine, ListCard } from '../../shared/ui/list-page/list-card.tsx';
import { ListPage } from '../../shared/ui/list-page/list-page.tsx';
import { Dash, ExactTime, TimeAgo } from '../../shared/ui/values/time-ago.tsx';
import { MailDrawer } from './mail-drawer.tsx';
import { MailState } from './mail-state.tsx';
import css from './mails.module.css';

const filters = { search: 'text', status: MAIL_STATES } as const;
const SPEC: ListSpec<typeof filters, 'createdAt'> = { filters, sorts: ['createdAt'] };

/** Outgoing mails with their state. For root only. */
export default function MailListPage() {
  const { t } = useTranslation('mails');
  const { t: routes } = useTranslation('routes');
  const list = useList(SPEC, 'listMails', (query) => ({ query }), { refetchInterval: POLL_MS });
  const [open, setOpen] = useState<number | null>(null);
  const delivers = list.answer?.delivers ?? true;

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
          <span className={css.mailError} title={mail.lastError}>
            {mail.lastError}
          </span>
        ) : (
          <Dash />
        ),
    },
  ];

  return (
    <ListPage
      title={routes('outgoingMails')}
      intro={!delivers && <p className="warning-note">{t('keeping')}</p>}
      list={list}
      search={t('search')}
      filters={
        <FilterSelect
          label={t('state')}
          options={MAIL_STATES.map((value) => ({
            value,
            label: value === 'waiting' && !delivers ? t('states.kept') : t(`states.${value}`),
          }))}
          {...list.field('status')}
        />
      }
      columns={columns}
      keep="mails"
      onOpen={(mail) => setOpen(mail.id)}
      empty={t('empty')}
      compact={(mail) => (
        <ListCard title={mail.receiver}>
          <CardLine>{mail.subject}</CardLine>
          <CardLine end={<TimeAgo at={mail.createdAt} />}>
            <MailState state={mail.state} delivers={delivers} />
          </CardLine>
        </ListCard>
      )}
    >
      {open !== null && <MailDrawer key={open} id={open} delivers={delivers} onClose={() => setOpen(null)} />}
    </ListPage>
  );
}
