import type { FrameDetail, FrameEffect } from '@chargehand/contract';
import { formatSpan } from '@chargehand/domain';
import { useQuery } from '@tanstack/react-query';
import { Drawer } from 'antd';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { queryOf } from '../../../../shared/api/query.ts';
import { usePermitted } from '../../../../shared/session/permitted.tsx';
import { ErrorState } from '../../../../shared/ui/states/error-state.tsx';
import { SkeletonRows } from '../../../../shared/ui/states/skeleton-rows.tsx';
import { useKindWord } from '../../actions/use-field-word.ts';
import { FrameBody } from '../frame-detail.tsx';
import { typeName } from '../frame-list.tsx';
import css from '../protocol.module.css';

/** A frame: its response, what its fields mean, and what the server did because of it. */
export function FrameDrawer(props: { deviceId: number; frameId: number; onClose(): void }) {
  const { deviceId, frameId, onClose } = props;
  const { t } = useTranslation('audit');
  const detail = useQuery(queryOf('readFrame', { params: { id: deviceId, frameId } }, { quiet: true }));
  const { data } = detail;
  const action = data && (data.frame.action ?? data.other?.action ?? t(`frame.types.${typeName(data.frame.type)}`));
  return (
    <Drawer open onClose={onClose} size={720} title={data ? `${action} · ${data.frame.sn}` : t('frame.detail')}>
      {!data &&
        (detail.isError ? <ErrorState error={detail.error} onRetry={() => void detail.refetch()} /> : <SkeletonRows />)}
      {data && <Content detail={data} />}
    </Drawer>
  );
}

function Content({ detail }: { detail: FrameDetail }) {
  const { t } = useTranslation('audit');
  const { frame, other, fields, effects } = detail;
  const mayOpenDevice = usePermitted(['auth_device_detail']);
  const exchange = other ? [frame, other].sort((one, next) => one.id - next.id) : [frame];
  const ms = other ? Math.abs(Date.parse(other.at) - Date.parse(frame.at)) : null;
  const device = `/manage/device/detail/${frame.deviceId}`;
  return (
    <div className="stack">
      <p className={css.fleetNote}>
        {mayOpenDevice ? <Link to={device}>{frame.deviceName}</Link> : frame.deviceName}
        <Link to={`/manage/logs/protocol?deviceId=${frame.deviceId}`}>{t('fleetFrames.ofDevice')}</Link>
        {ms !== null && <span className="quiet">{t('frame.answeredIn', { time: formatSpan(ms) })}</span>}
      </p>
      {exchange.map((one) => (
        <FrameBody key={one.id} frame={one} current={one.id === frame.id} />
      ))}
      <section aria-label={t('fleetFrames.effects')}>
        <h3>{t('fleetFrames.effects')}</h3>
        {effects.length === 0 ? (
          <p className="quiet">{t('fleetFrames.noEffects')}</p>
        ) : (
          <ul>
            {effects.map((effect) => (
              <li key={JSON.stringify(effect)}>
                <EffectText effect={effect} device={device} mayOpen={mayOpenDevice} />
              </li>
            ))}
          </ul>
        )}
      </section>
      {fields.length > 0 && (
        <section aria-label={t('fleetFrames.fields')}>
          <h3>{t('fleetFrames.fields')}</h3>
          <table className={`fact-table ${css.fleetMeanings}`}>
            <thead>
              <tr>
                <th scope="col">{t('fleetFrames.field')}</th>
                <th scope="col">{t('fleetFrames.value')}</th>
                <th scope="col">{t('fleetFrames.meaning')}</th>
              </tr>
            </thead>
            <tbody>
              {fields.map(({ path, value, meaning, unit }) => (
                <tr key={path}>
                  <th scope="row" className="mono">
                    {path}
                  </th>
                  <td>{[typeof value === 'string' ? value : JSON.stringify(value), unit].filter(Boolean).join(' ')}</td>
                  <td>{meaning || <span className="quiet">{t('fleetFrames.notDescribed')}</span>}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
    </div>
  );
}

const PLACES: Record<FrameEffect['kind'], string> = {
  command: 'tab=operations',
  transaction: 'tab=details&section=sessions',
  alarm: 'tab=details&section=alarms&state=all',
  readings: 'tab=details&section=charts',
  version: 'tab=details',
};

function EffectText({ effect, device, mayOpen }: { effect: FrameEffect; device: string; mayOpen: boolean }) {
  const { t } = useTranslation('audit');
  const kindWord = useKindWord();
  const text =
    effect.kind === 'command'
      ? t('fleetFrames.command', { command: kindWord(effect.command) })
      : effect.kind === 'transaction'
        ? t('fleetFrames.transaction', { id: effect.id, connector: effect.connector })
        : effect.kind === 'readings'
          ? t('fleetFrames.readings', { count: effect.count })
          : effect.kind === 'version'
            ? effect.former === null
              ? t('fleetFrames.version', { version: effect.version })
              : t('fleetFrames.versionChanged', { version: effect.version, former: effect.former })
            : t(effect.ended ? 'fleetFrames.alarmEnded' : 'fleetFrames.alarmRaised', { code: effect.code });
  return mayOpen ? <Link to={`${device}?${PLACES[effect.kind]}`}>{text}</Link> : text;
}
