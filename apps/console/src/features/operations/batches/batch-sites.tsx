import type { BatchPreview, CommonControls } from '@chargehand/contract';
import { useTranslation } from 'react-i18next';
import { useReason } from '../../../shared/hooks/use-reason.ts';
import css from './batches.module.css';

/** The number of skipped devices of a site that are listed before the rest is counted. */
const NAMED = 5;

/** The sites of the selected devices. Each gets a batch. */
export function BatchSites({ sites }: { sites: CommonControls['sites'] }) {
  const { t } = useTranslation('batches');
  return (
    <>
      <p className="quiet">{t('sites.text')}</p>
      <ul className={css.batchSites}>
        {sites.map(({ id, name, devices }) => (
          <li key={id}>
            {name} <span className="quiet">{t('sites.devices', { count: devices })}</span>
          </li>
        ))}
      </ul>
    </>
  );
}

/** What will be sent to each site, and which devices are skipped for which reason. */
export function PreviewedSites({ preview, command }: { preview: BatchPreview; command: string }) {
  const { t } = useTranslation('batches');
  const reasonOf = useReason();
  return (
    <>
      <p>
        <strong>{command}</strong>
      </p>
      <ul className={css.batchSites} aria-label={t('sites.title')}>
        {preview.sites.map(({ siteId, siteName, devices, skipped }) => (
          <li key={siteId}>
            <strong>{siteName}</strong> {t('sites.devices', { count: devices - skipped.length })}
            {skipped.length > 0 && (
              <>
                {' · '}
                {t('sites.skipped', { count: skipped.length })}
                <ul className="quiet">
                  {skipped.slice(0, NAMED).map((device) => (
                    <li key={device.deviceId}>
                      {device.name} · {device.sn}: {reasonOf(device)}
                    </li>
                  ))}
                  {skipped.length > NAMED && <li>{t('sites.more', { count: skipped.length - NAMED })}</li>}
                </ul>
              </>
            )}
          </li>
        ))}
      </ul>
    </>
  );
}

/** The number of devices that get the command. */
export function sentTo({ sites }: BatchPreview): number {
  return sites.reduce((sum, { devices, skipped }) => sum + devices - skipped.length, 0);
}
