import type { BatchDetail } from '@chargehand/contract';
import type { Command } from '@chargehand/domain';
import { useTranslation } from 'react-i18next';
import { useMedia } from '../../../shared/hooks/use-media.ts';
import { ListCard } from '../../../shared/ui/list-page/list-card.tsx';
import { Panel } from '../../../shared/ui/page/page-header.tsx';
import { Table } from '../../../shared/ui/table/table.tsx';
import { fineOf } from './batch-parts.ts';
import { NARROW, Value } from './batch-plan.tsx';
import { BatchBar } from './batch-progress.tsx';
import css from './batches.module.css';

/** The number of different values of a site that are listed before the rest is counted. */
const NAMED = 3;

type Site = BatchDetail['sites'][number];

/** The sites of a command with their progress; with the values that their devices have now if it sets one. */
export function BatchSites({ batch }: { batch: BatchDetail }) {
  const { t } = useTranslation('batches');
  const { sites, outside, values } = batch;
  const { value, version } = batch.params as Command['params'] & { version?: string };
  const next = value ?? version ?? null;
  const narrow = useMedia(NARROW);
  if (sites.length + outside.sites < 2 && values === null) return null;
  const progress = ({ counts }: Site) => (
    <div className={css.batchCell}>
      <BatchBar counts={counts} />
      <span className="no-break">
        {fineOf({ counts })} / {counts.total}
      </span>
    </div>
  );
  const valuesOf = ({ siteId }: Site) => values && <Values values={values.filter((one) => one.siteId === siteId)} />;
  return (
    <Panel title={t('sites.title')}>
      {narrow ? (
        sites.map((site) => (
          <ListCard key={site.siteId} title={site.siteName}>
            {progress(site)}
            {valuesOf(site)}
          </ListCard>
        ))
      ) : (
        <Table<Site>
          label={t('sites.title')}
          rowKey="siteId"
          rows={sites}
          columns={[
            { title: t('list.site'), render: (_, { siteName }) => siteName },
            { title: t('list.progress'), width: 240, render: (_, site) => progress(site) },
            ...(values === null
              ? []
              : [
                  {
                    title: next === null ? t('plan.now') : t('plan.nowOf', { value: next }),
                    render: (_: unknown, site: Site) => valuesOf(site),
                  },
                ]),
          ]}
        />
      )}
      {outside.sites > 0 && (
        <p className="quiet">{t('sites.outside', { count: outside.devices, sites: outside.sites })}</p>
      )}
    </Panel>
  );
}

/** The values of the devices of a site, the most frequent first. */
function Values({ values }: { values: NonNullable<BatchDetail['values']> }) {
  const { t } = useTranslation('batches');
  return (
    <span className={css.values}>
      {values.slice(0, NAMED).map(({ value, devices }) => (
        <span key={value} className="no-break">
          <Value text={value} /> × {devices}
        </span>
      ))}
      {values.length > NAMED && (
        <span className="quiet">{t('plan.otherValues', { count: values.length - NAMED })}</span>
      )}
    </span>
  );
}
