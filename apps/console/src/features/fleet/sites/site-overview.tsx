import type { SiteDetail } from '@chargehand/contract';
import { SITE } from '@chargehand/contract/site';
import { formatPosition, mapLink } from '@chargehand/domain';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useNames } from '../../../shared/i18n/use-names.ts';
import { usePermitted } from '../../../shared/session/permitted.tsx';
import { Panel } from '../../../shared/ui/page/page-header.tsx';
import { OpenedPicture } from '../../../shared/ui/pictures/stored-picture.tsx';
import { useFacts } from '../../../shared/ui/resource/facts.tsx';
import { Copyable } from '../../../shared/ui/values/copyable.tsx';
import { Describe } from '../../../shared/ui/values/describe.tsx';
import { ExactTime } from '../../../shared/ui/values/time-ago.tsx';
import mapCss from '../map/map.module.css';
import { SiteMap } from '../map/site-map.tsx';
import { AlarmCounts } from '../places/alarm-counts.tsx';
import { customerPath, siteEditPath } from '../places/place-paths.ts';
import css from '../places/places.module.css';
import { StatusCounts } from '../places/status-counts.tsx';

/** The device status of a site, its location, and its data. */
export function SiteOverview({ site }: { site: SiteDetail }) {
  const { t } = useTranslation('places');
  const mayCustomer = usePermitted(['auth_customer_detail']);
  const { name, code, contact, phone, address, buildDate, ...others } = useFacts(SITE.fields, site);
  const outOfService = !site.enabled
    ? t('site.isDisabled')
    : site.customerEnabled
      ? null
      : t('site.customerIsDisabled');
  return (
    <div className="stack">
      {outOfService && <p className="warning-note">{outOfService}</p>}
      <StatusCounts total={site.deviceCount} byStatus={site.byStatus} filter={`siteId=${site.id}`} />
      <AlarmCounts
        byLevel={site.alarmsByLevel}
        to={(level) => `?tab=faults&suppressed=false${level === null ? '' : `&level=${level}`}`}
      />
      <div className={css.siteOverview}>
        <Panel title={t('baseInfo')}>
          {site.image && (
            <OpenedPicture of={site.image} alt={t('pictureOf', { name: site.name })} width={320} height={200} />
          )}
          <Describe
            items={[
              name,
              { ...code, value: <span className="mono">{site.code}</span> },
              {
                key: 'customer',
                label: t('customer'),
                value: mayCustomer ? (
                  <Link to={customerPath(site.customerId)}>{site.customerName}</Link>
                ) : (
                  site.customerName
                ),
              },
              contact,
              phone,
              { key: 'region', label: t('region.label'), value: site.regionName },
              address,
              buildDate,
              ...Object.values(others),
              { key: 'created', label: t('created'), value: <ExactTime at={site.createdAt} /> },
            ]}
          />
        </Panel>
        <Panel title={t('map.title')}>
          <Position site={site} />
        </Panel>
      </div>
    </div>
  );
}

function Position({ site: { id, name, latitude, longitude, may } }: { site: SiteDetail }) {
  const { t } = useTranslation('places');
  const { language } = useNames();
  if (latitude === null || longitude === null) {
    return (
      <div className={mapCss.mapNone}>
        <p>{t('map.none')}</p>
        {may.edit && <Link to={siteEditPath(id)}>{t('map.enter')}</Link>}
      </div>
    );
  }
  const position = { latitude, longitude };
  return (
    <div className="stack">
      <SiteMap key={id} position={position} />
      <div className="field-row">
        <Copyable text={formatPosition(position)} />
        <a href={mapLink(position, name, language)} target="_blank" rel="noreferrer">
          {t('map.open')}
        </a>
        <span className="quiet">{t('map.datum')}</span>
      </div>
    </div>
  );
}
