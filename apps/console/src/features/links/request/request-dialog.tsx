import type { LinkOptions } from '@chargehand/contract';
import { DEFAULT_ZONE, type LinkKind, MAX_LINK_REASON } from '@chargehand/domain';
import { useQuery } from '@tanstack/react-query';
import { Button, Input, InputNumber, Radio, Select } from 'antd';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../shared/api/client.ts';
import { queryOf, refresh } from '../../../shared/api/query.ts';
import { useLocale } from '../../../shared/i18n/use-locale.ts';
import { usePermitted } from '../../../shared/session/permitted.tsx';
import { Confirm } from '../../../shared/ui/dialogs/confirm.tsx';
import { Dialog } from '../../../shared/ui/dialogs/dialog.tsx';
import { ErrorState } from '../../../shared/ui/states/error-state.tsx';
import { SkeletonRows } from '../../../shared/ui/states/skeleton-rows.tsx';
import { Duration } from '../../../shared/ui/values/duration.tsx';
import { LinkDialog } from '../link-dialog.tsx';
import css from '../links.module.css';
import { DeviceIssueSelect, type GivenIssue } from './device-issue-select.tsx';
import { durationsOf } from './durations.ts';

interface Props {
  device: { id: number; name: string };
  /** the link is for this issue of the device */
  issue?: GivenIssue;
  onClose(): void;
}

/** Requests a link to a device, then shows its progress. A terminal is opened when the device has connected. */
export default function RequestDialog({ device, issue, onClose }: Props) {
  const { t } = useTranslation('links');
  const { t: common } = useTranslation();
  const [link, setLink] = useState<number | null>(null);
  const options = useQuery(queryOf('readLinkOptions', { params: { id: device.id } }, { quiet: true }));
  const reason = useLikelyReason(device.id);
  if (link !== null) return <LinkDialog key={link} id={link} onClose={onClose} onChange={setLink} opensTerminal />;
  if (options.data && reason !== null)
    return (
      <RequestForm
        device={device}
        {...(issue && { issue })}
        options={options.data}
        likely={reason}
        onRequested={setLink}
        onClose={onClose}
      />
    );
  return (
    <Dialog
      title={t('request.title', { name: device.name })}
      footer={<Button onClick={onClose}>{common('close')}</Button>}
      onCancel={onClose}
      width={560}
    >
      {options.isError ? (
        <ErrorState error={options.error} onRetry={() => void options.refetch()} />
      ) : (
        <SkeletonRows rows={6} />
      )}
    </Dialog>
  );
}

/**
 * The worst open alarm of a device, which is usually why somebody needs a link; without one, that it is an inspection. Null:
 * not known yet.
 */
function useLikelyReason(deviceId: number): string | null {
  const { t } = useTranslation('links');
  const locale = useLocale();
  const query = { deviceId, state: 'open', suppressed: false, sort: '-level', limit: 10 } as const;
  const alarms = useQuery(queryOf('listAlarms', { query }, { quiet: true }));
  if (alarms.isPending) return null;
  const alarm = alarms.data?.items[0];
  if (!alarm) return alarms.isError ? '' : t('request.inspection');
  const name = locale === 'zh-CN' ? alarm.nameZh : alarm.nameEn;
  return name === null ? alarm.code : `${name} (${alarm.code})`;
}

interface FormProps extends Props {
  options: LinkOptions;
  /** the reason until the user enters another one */
  likely: string;
  onRequested(id: number): void;
}

function RequestForm({ device, issue, options, likely, onRequested, onClose }: FormProps) {
  const { t } = useTranslation('links');
  const id = useId();
  const seesIssues = usePermitted(['auth_issue_list']);
  const possible = options.kinds.filter(({ refusal }) => refusal === null);
  const [chosen, setChosen] = useState<LinkKind | null>(null);
  const [reason, setReason] = useState(likely);
  const [issueId, setIssueId] = useState(issue?.id);
  const [entered, setEntered] = useState<number | null>(null);
  const [ports, setPorts] = useState<Partial<Record<LinkKind, number | null>>>({});
  // What is possible may change while the dialog is open.
  const kind = possible.find((one) => one.kind === chosen) ?? possible[0];
  const durations = durationsOf(options);
  const minutes = durations.find((one) => one === entered) ?? Math.min(options.defaultMinutes, options.maxMinutes);
  const port = kind && (ports[kind.kind] === undefined ? kind.port : ports[kind.kind]);
  const { policy } = options;

  return (
    <Confirm
      title={t('request.title', { name: device.name })}
      ok={t('request.ok')}
      width={560}
      ready={kind !== undefined && reason.trim() !== '' && typeof port === 'number'}
      entered={{ reason, issueId: issueId ?? null }}
      run={async () => {
        if (!kind || typeof port !== 'number') return;
        const body = {
          kind: kind.kind,
          reason: reason.trim(),
          minutes,
          port,
          ...(issueId !== undefined && { issueId }),
        };
        const link = await call('requestLink', { params: { id: device.id }, body }, { quiet: true });
        onRequested(link.id);
        void refresh('listLinks', 'readLinkOptions');
      }}
      onDone={() => undefined}
      onClose={onClose}
    >
      {!kind && (
        <p className="warning-note" role="note">
          {t('request.none')}
        </p>
      )}
      <fieldset className={css.kinds}>
        <legend>{t('request.kind')}</legend>
        {options.kinds.map((one) => (
          <div key={one.kind} className={css.kind}>
            <Radio
              name={`${id}-kind`}
              checked={one.kind === kind?.kind}
              disabled={one.refusal !== null}
              aria-describedby={`${id}-${one.kind}-text`}
              onChange={() => setChosen(one.kind)}
            >
              {t(`kinds.${one.kind}`)}
            </Radio>
            <p id={`${id}-${one.kind}-text`} className="quiet">
              {one.refusal?.message ?? t(`kindTexts.${one.kind}`)}
            </p>
          </div>
        ))}
      </fieldset>
      {kind && (
        <>
          <label htmlFor={`${id}-reason`}>{t('request.reason')}</label>
          <Input.TextArea
            id={`${id}-reason`}
            value={reason}
            maxLength={MAX_LINK_REASON}
            autoSize={{ minRows: 2, maxRows: 6 }}
            placeholder={t('request.reasonHint')}
            onChange={(event) => setReason(event.target.value)}
          />
          {seesIssues && (
            <>
              <label htmlFor={`${id}-issue`}>{t('request.issue')}</label>
              <DeviceIssueSelect
                id={`${id}-issue`}
                deviceId={device.id}
                given={issue ?? null}
                value={issueId}
                onChange={setIssueId}
              />
            </>
          )}
          <div className={css.numbers}>
            <div>
              <label htmlFor={`${id}-minutes`}>{t('request.minutes')}</label>
              <Select<number>
                id={`${id}-minutes`}
                value={minutes}
                options={durations.map((value) => ({ value, label: <Duration seconds={value * 60} /> }))}
                onChange={setEntered}
              />
            </div>
            <div>
              <label htmlFor={`${id}-port`}>{t('request.port')}</label>
              <InputNumber<number>
                id={`${id}-port`}
                min={1}
                max={65_535}
                precision={0}
                value={port ?? null}
                onChange={(value) => setPorts({ ...ports, [kind.kind]: value })}
              />
            </div>
          </div>
          {policy.secondPerson && <p className="warning-note">{t('request.secondPerson')}</p>}
          {policy.hours && <p className="quiet">{t('request.hours', { ...policy.hours, zone: DEFAULT_ZONE })}</p>}
          <p className="quiet">{t('request.recorded')}</p>
        </>
      )}
    </Confirm>
  );
}
