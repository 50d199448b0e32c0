import type { DeviceLabel } from '@chargehand/contract';
import { connectorLabel, isWholeEvse } from '@chargehand/domain';
import { useQuery } from '@tanstack/react-query';
import { Button, QRCode, Select } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useSearchParams } from 'react-router';
import { queryOf } from '../../../shared/api/query.ts';
import { useConnectorName } from '../../../shared/hooks/use-connector-name.ts';
import { useModelName } from '../../../shared/i18n/use-model-name.ts';
import { Page } from '../../../shared/ui/page/page-header.tsx';
import { EmptyState } from '../../../shared/ui/states/empty-state.tsx';
import { ErrorState } from '../../../shared/ui/states/error-state.tsx';
import { SkeletonRows } from '../../../shared/ui/states/skeleton-rows.tsx';
import { detailPath } from '../devices/device-paths.ts';
import css from './labels.module.css';

const SIZES = ['sheet', 'large', 'printer'] as const;
type Size = (typeof SIZES)[number];
const FILLS = { width: '100%', height: '100%', padding: 0 };
const SIZE_KEY = 'chargehand.labels';
/**
 * What the QR code opens: the page where anyone reports a problem of the device or of one connector, or the page of the
 * device for users.
 */
const TARGETS = ['report', 'connector', 'device'] as const;
type Target = (typeof TARGETS)[number];
const TARGET_KEY = 'chargehand.labels.target';

/** Printable labels of devices or of their connectors. Scanning one opens the page for reports, or the page of the device. */
export default function LabelsPage() {
  const { t } = useTranslation('devices');
  const { t: routes } = useTranslation('routes');
  const [search] = useSearchParams();
  const ids = search.get('ids') ?? '';
  const [size, setSize] = useState<Size>(() => SIZES.find((one) => one === localStorage.getItem(SIZE_KEY)) ?? 'sheet');
  const [target, setTarget] = useState<Target>(
    () => TARGETS.find((one) => one === localStorage.getItem(TARGET_KEY)) ?? 'report',
  );
  const labels = useQuery({ ...queryOf('listDeviceLabels', { query: { ids } }, { quiet: true }), enabled: ids !== '' });
  const rows = (labels.data?.items ?? []).flatMap((label) => labelsOf(label, target));
  const count = rows.length;
  const choose = (next: Size) => {
    localStorage.setItem(SIZE_KEY, next);
    setSize(next);
  };

  return (
    <div className={css.labelsPage}>
      <Page
        title={routes('deviceLabels')}
        note={count > 0 && t('label.note', { count })}
        actions={
          <>
            <Select<Target>
              aria-label={t('label.target')}
              value={target}
              popupMatchSelectWidth={false}
              options={TARGETS.map((value) => ({ value, label: t(`label.targets.${value}`) }))}
              onChange={(next) => {
                localStorage.setItem(TARGET_KEY, next);
                setTarget(next);
              }}
            />
            <Select<Size>
              aria-label={t('label.size')}
              value={size}
              popupMatchSelectWidth={false}
              options={SIZES.map((value) => ({ value, label: t(`label.${value}`) }))}
              onChange={choose}
            />
            <Button type="primary" disabled={count === 0} onClick={() => window.print()}>
              {t('label.print')}
            </Button>
          </>
        }
      >
        {labels.isError && <ErrorState error={labels.error} onRetry={() => void labels.refetch()} />}
        {labels.isPending && ids !== '' && <SkeletonRows rows={6} />}
        {(ids === '' || labels.data?.items.length === 0) && (
          <EmptyState text={t('label.empty')} action={<Link to="/manage/device/list">{t('label.toList')}</Link>} />
        )}
        {labels.data && count > 0 && (
          <>
            <p className={`quiet ${css.labelsHint}`}>{t('label.hint')}</p>
            <ul className="labels" data-size={size}>
              {rows.map(({ label, connector }) => (
                <Label
                  key={`${label.id} ${connector}`}
                  {...{ label, connector, target }}
                  base={labels.data.consoleUrl ?? location.origin}
                />
              ))}
            </ul>
          </>
        )}
      </Page>
    </div>
  );
}

/** The labels of a device: one, or one for each connector. A device without known connectors has one. */
function labelsOf(label: DeviceLabel, target: Target): { label: DeviceLabel; connector: number | null }[] {
  const connectors = label.connectors.filter((connector) => !isWholeEvse(connector));
  if (target !== 'connector' || connectors.length === 0) return [{ label, connector: null }];
  return connectors.map((connector) => ({ label, connector }));
}

/** A connector in the address of a report: its number, or EVSE and connector for devices that number EVSEs. */
function outletIn(connector: number | null, protocol: string | null): Record<string, string> {
  if (connector === null) return {};
  const named = connectorLabel(connector, protocol);
  if (named.kind === 'evse') return { e: String(named.evse), c: String(named.connector) };
  return { c: String(connector) };
}

function Label(props: { label: DeviceLabel; connector: number | null; target: Target; base: string }) {
  const { label, connector, target, base } = props;
  const { t } = useTranslation('devices');
  const modelName = useModelName();
  const connectorName = useConnectorName(label.protocol);
  const place = connector === null ? null : connectorName(connector);
  const report = `/share/issue?${new URLSearchParams({ s: label.reportToken, ...outletIn(connector, label.protocol) })}`;
  const url = base + (target === 'device' ? detailPath(label.id) : report);
  return (
    <li className="label">
      <span
        className={css.labelCode}
        role="img"
        aria-label={t('label.code', { name: place === null ? label.name : `${label.name} · ${place}` })}
        title={t('label.scan', { url })}
      >
        {/* Paper is white in every theme. Medium error correction, because labels get scratched. */}
        <QRCode
          type="svg"
          aria-hidden="true"
          value={url}
          size={160}
          marginSize={0}
          bordered={false}
          errorLevel="M"
          color="#000"
          bgColor="#fff"
          style={FILLS}
        />
      </span>
      <span className={css.labelText}>
        <strong>{label.name}</strong>
        {place !== null && <strong>{place}</strong>}
        <span className="label-sn">
          {t('label.sn')} <span className="mono">{label.sn}</span>
        </span>
        <span>{label.siteName}</span>
        {place === null && <span className={css.labelModel}>{modelName(label.deviceModelName)}</span>}
        {target !== 'device' && <span>{t('label.reportHere')}</span>}
      </span>
    </li>
  );
}
