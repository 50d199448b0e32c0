import type { WaitingDeviceRow } from '@chargehand/contract';
import { useMutation } from '@tanstack/react-query';
import { Button, Modal, Tag } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import type { Static } from 'typebox';
import { call, download } from '../../../shared/api/client.ts';
import { refresh } from '../../../shared/api/query.ts';
import { useList } from '../../../shared/hooks/lists/use-list.ts';
import type { ListSpec } from '../../../shared/lib/lists/list-query.ts';
import { protocolName } from '../../../shared/lib/protocol-name.ts';
import { Permitted } from '../../../shared/session/permitted.tsx';
import { useDeviceRights } from '../../../shared/session/use-device-rights.ts';
import type { DataColumn } from '../../../shared/ui/list-page/data-table.tsx';
import { CardLine, ListCard } from '../../../shared/ui/list-page/list-card.tsx';
import { ListSection } from '../../../shared/ui/list-page/list-page.tsx';
import { Copyable } from '../../../shared/ui/values/copyable.tsx';
import { Dash, ExactTime, TimeAgo } from '../../../shared/ui/values/time-ago.tsx';
import css from '../devices/devices.module.css';

type Entry = Static<typeof WaitingDeviceRow>;
const filters = { search: 'text' } as const;
const SPEC: ListSpec<typeof filters, 'lastAttemptAt' | 'sn'> = { filters, sorts: ['lastAttemptAt', 'sn'] };
/** The live stream does not report unregistered devices, so the list is fetched at an interval. */
const FETCH_MS = 10_000;

/** Waiting devices, which can be registered or removed. */
export function WaitingDevices() {
  const { t } = useTranslation('fleet');
  const { t: routes } = useTranslation('routes');
  const mayExport = useDeviceRights().download;
  const list = useList(SPEC, 'listWaitingDevices', (query) => ({ query }), { refetchInterval: FETCH_MS });
  const columns: DataColumn<Entry, 'lastAttemptAt' | 'sn'>[] = [
    {
      name: 'sn',
      always: true,
      title: t('sn'),
      sortBy: 'sn',
      width: 170,
      render: (_, entry) => (
        <>
          <Copyable text={entry.sn} />
          {entry.mac && <Below text={`${t('waiting.mac')} ${entry.mac}`} />}
        </>
      ),
    },
    {
      name: 'lastAttempt',
      title: t('waiting.lastAttempt'),
      sortBy: 'lastAttemptAt',
      render: (_, entry) => (
        <>
          <TimeAgo at={entry.lastAttemptAt} />
          <div>
            <State entry={entry} />
          </div>
        </>
      ),
    },
    { name: 'attempts', title: t('waiting.attempts'), dataIndex: 'attempts', align: 'end' },
    { name: 'first', title: t('waiting.first'), render: (_, entry) => <ExactTime at={entry.registeredAt} /> },
    {
      name: 'remoteAddress',
      title: t('remoteAddress'),
      render: (_, entry) => (
        <>
          <span className="mono">{entry.remoteAddress}</span>
          <Below text={protocolName(entry.protocolVersion)} />
        </>
      ),
    },
    {
      name: 'vendorModel',
      title: t('waiting.vendorModel'),
      render: (_, entry) => (
        <>
          {nameOf(entry) || <Dash />}
          {entry.deviceModel && <span className="quiet"> {entry.deviceModel.name}</span>}
          {entry.serialNumber && <Below text={`${t('waiting.serialNumber')} ${entry.serialNumber}`} />}
          {entry.firmwareVersion && <Below text={`${t('waiting.firmware')} ${entry.firmwareVersion}`} />}
        </>
      ),
    },
  ];
  return (
    <ListSection
      label={routes('waiting')}
      list={list}
      search={t('waiting.search')}
      onExport={mayExport ? (query, options) => download('exportWaitingDevices', { query }, options) : undefined}
      columns={columns}
      rowActions={(entry) => <EntryActions entry={entry} />}
      keep="blacklistEntries"
      empty={t('waiting.empty')}
      compact={(entry) => (
        <ListCard title={<span className="mono">{entry.sn}</span>} aside={<TimeAgo at={entry.lastAttemptAt} />}>
          {nameOf(entry) && (
            <span>
              {nameOf(entry)} <span className="quiet">{protocolName(entry.protocolVersion)}</span>
            </span>
          )}
          <CardLine end={<EntryActions entry={entry} />}>
            <State entry={entry} />
            <span className="mono">{entry.remoteAddress}</span>
          </CardLine>
        </ListCard>
      )}
    />
  );
}

/** Vendor and model as reported by the device; empty when it reported neither. */
function nameOf({ vendor, model }: Entry): string {
  return [vendor, model].filter(Boolean).join(' · ');
}

/** The second line of a cell. */
function Below({ text }: { text: string }) {
  return <div className="quiet">{text}</div>;
}

/** Whether the device is connected now. */
function State({ entry }: { entry: Entry }) {
  const { t } = useTranslation('fleet');
  return entry.waiting ? (
    <Tag color="processing">{t('waiting.now')}</Tag>
  ) : (
    <span className="quiet">{t('waiting.away')}</span>
  );
}

function EntryActions({ entry }: { entry: Entry }) {
  const { t } = useTranslation('fleet');
  const { t: common } = useTranslation();
  const navigate = useNavigate();
  const { edit } = useDeviceRights();
  const [dialogOpen, setDialogOpen] = useState(false);
  const forget = useMutation({
    mutationFn: () => call('deleteWaitingDevice', { params: { id: entry.id } }),
    onSuccess: async () => {
      setDialogOpen(false);
      await refresh('listWaitingDevices');
    },
  });
  return (
    <span className={css.alarmSummary}>
      {edit && (
        <Permitted codes={['auth_black_device', 'auth_device_add']} mode="and">
          <Button size="small" onClick={() => navigate(`/manage/device/add/${encodeURIComponent(entry.sn)}`)}>
            {t('waiting.register')}
          </Button>
        </Permitted>
      )}
      <Button type="text" size="small" onClick={() => setDialogOpen(true)}>
        {t('waiting.remove')}
      </Button>
      <Modal
        open={dialogOpen}
        title={t('waiting.removeTitle', { sn: entry.sn })}
        okText={t('waiting.remove')}
        cancelText={common('cancel')}
        okButtonProps={{ loading: forget.isPending }}
        onOk={() => forget.mutate()}
        cancelButtonProps={{ disabled: forget.isPending }}
        onCancel={() => !forget.isPending && setDialogOpen(false)}
        width={440}
      >
        <p>{t('waiting.removeText')}</p>
      </Modal>
    </span>
  );
}
