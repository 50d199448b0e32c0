import type { MessageRow } from '@chargehand/contract';
import { messageEnd, messageTitle } from '@chargehand/contract/message-titles';
import { isStateType } from '@chargehand/domain';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useLocale } from '../../../shared/i18n/use-locale.ts';
import { usePermitted } from '../../../shared/session/permitted.tsx';
import { AlarmLevel } from '../../../shared/ui/tags/alarm-level.tsx';
import { StatusGlyph } from '../../../shared/ui/tags/status-glyph.tsx';
import { Tag } from '../../../shared/ui/tags/tag.tsx';
import { Duration, Since } from '../../../shared/ui/values/duration.tsx';
import css from '../messages.module.css';
import { useMessageTitle } from './use-message-title.ts';

/** The title of a message with the level of its alarm; a message that was not read is marked. */
export function MessageTitle({ message }: { message: MessageRow }) {
  const { t } = useTranslation('messages');
  const title = useMessageTitle()(message);
  const unread = message.readAt === null;
  return (
    <span className={css.title} data-unread={unread}>
      {unread && <span className="visually-hidden">{t('unread')}</span>}
      {message.level && (
        <>
          <AlarmLevel level={message.level} />{' '}
        </>
      )}
      {title}
    </span>
  );
}

/** Whether it is still going on, and who has it. Empty for what does not recover. */
export function MessageState({ message }: { message: MessageRow }) {
  const { t } = useTranslation('messages');
  if (!isStateType(message.type)) return null;
  if (message.recoveredAt) {
    return (
      <Tag tone="plain" glyph="check">
        {t('recovered')}
      </Tag>
    );
  }
  return (
    <>
      <Tag tone="faulted" glyph="alert">
        {t('ongoing')}
      </Tag>
      {message.acknowledgedBy && <span className="quiet">{t('acknowledgedBy', { name: message.acknowledgedBy })}</span>}
    </>
  );
}

/** How long it has lasted so far, or lasted. Empty for what does not recover. */
export function MessageLasted({ message: { type, since, recoveredAt } }: { message: MessageRow }) {
  if (!isStateType(type)) return null;
  if (recoveredAt === null) return <Since at={since} />;
  return <Duration seconds={(Date.parse(recoveredAt) - Date.parse(since)) / 1_000} />;
}

/** Where it is: site, customer and devices. The devices of an incident are listed on request. */
export function MessageWhere({ message }: { message: MessageRow }) {
  const { t } = useTranslation('messages');
  const mayDevice = usePermitted(['auth_device_detail']);
  const maySite = usePermitted(['auth_site_detail']);
  const [open, setOpen] = useState(false);
  const end = messageEnd(message, useLocale());
  const { siteId, siteName, customerName, devices, deviceCount, connector, events } = message;
  const device = (one: { id: number; name: string }) =>
    mayDevice ? <Link to={`/manage/device/detail/${one.id}`}>{one.name}</Link> : one.name;
  const [only] = devices;
  const hidden = deviceCount - devices.length;
  return (
    <span className={css.where}>
      {deviceCount === 1 && (only ? device(only) : t('deviceGone'))}
      {connector !== null && <span>{t('connector', { connector })}</span>}
      {deviceCount > 1 && (
        <button type="button" className="text-button" aria-expanded={open} onClick={() => setOpen(!open)}>
          {t('devices', { count: deviceCount })}
        </button>
      )}
      {siteName !== null &&
        (maySite && siteId !== null ? <Link to={`/manage/site/detail/${siteId}`}>{siteName}</Link> : siteName)}
      {customerName !== null && <span>{customerName}</span>}
      {isStateType(message.type) && events > 1 && (
        <span>{t('events', { count: events, open: message.open, total: events })}</span>
      )}
      {end !== '' && <span>{end}</span>}
      {open && (
        <ul className={css.devices} aria-label={t('affected')}>
          {devices.map((one) => (
            <li key={one.id}>{device(one)}</li>
          ))}
          {hidden > 0 && <li>{t('moreDevices', { count: hidden })}</li>}
        </ul>
      )}
    </span>
  );
}

/** What else goes on, what it means, and on request what to do first. Empty when it is over. */
export function MessageAdvice({ message }: { message: MessageRow }) {
  const { t } = useTranslation('messages');
  const locale = useLocale();
  const [open, setOpen] = useState(false);
  const { meaningEn, meaningZh, stepsEn, stepsZh, others, recoveredAt } = message;
  if (recoveredAt !== null) return null;
  const [meaning, steps] = locale === 'zh-CN' ? [meaningZh, stepsZh] : [meaningEn, stepsEn];
  const going = others.filter((one) => one.open > 0);
  const titleOf = (one: MessageRow['others'][number]) =>
    messageTitle({ type: one.type, data: { code: one.code }, names: one }, locale);
  return (
    <>
      {going.length > 0 && (
        <ul className={css.others} aria-label={t('others')}>
          {going.map((one) => (
            <li key={`${one.type} ${one.code}`}>
              {one.level && <AlarmLevel level={one.level} />} <span>{titleOf(one)}</span> <Since at={one.since} />
              {one.heldBack && (
                <Tag tone="plain" glyph="clock">
                  {t('heldBack')}
                </Tag>
              )}
            </li>
          ))}
        </ul>
      )}
      {meaning !== null && <span className={css.advice}>{meaning}</span>}
      {steps !== null && (
        <span className={css.advice}>
          <button type="button" className="text-button" aria-expanded={open} onClick={() => setOpen(!open)}>
            {t('steps')}
          </button>
          {open && <span className={css.steps}>{steps}</span>}
        </span>
      )}
    </>
  );
}

/** That somebody works on it, or that it was passed on. */
export function Processed({ message }: { message: MessageRow }) {
  const { t } = useTranslation('messages');
  if (message.processedAt !== null) {
    return (
      <span className={css.done}>
        <StatusGlyph glyph="check" />
        {t('processed')}
      </span>
    );
  }
  return message.escalatedAt === null ? null : (
    <Tag tone="firmware-update" glyph="clock" title={t('escalatedHint')}>
      {t('escalated')}
    </Tag>
  );
}
