import type { OwnResult } from '@chargehand/contract';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { queryOf } from '../../../shared/api/query.ts';
import { useConnectorName } from '../../../shared/hooks/use-connector-name.ts';
import { BellRow, BellSection, type BellSectionProps } from '../../../shared/ui/bell/bell-section.tsx';
import { ResultTag } from '../../../shared/ui/tags/result-tag.tsx';
import { Tag } from '../../../shared/ui/tags/tag.tsx';
import { TimeAgo } from '../../../shared/ui/values/time-ago.tsx';
import { useControlNames } from '../commands/use-control-names.ts';

/** The user's commands, batches and transfers that ended last. */
export default function OwnResults({ since }: BellSectionProps) {
  const { t } = useTranslation('bell');
  const rows = useQuery(queryOf('listOwnResults', {}, { quiet: true }));
  return (
    <BellSection
      title={t('results')}
      all={<Link to="/manage/device/batches">{t('allBatches')}</Link>}
      rows={rows}
      empty={t('noResults')}
    >
      {(result) => (
        <BellRow
          key={result.device?.executionId ?? `batch ${result.batch?.id}`}
          fresh={since === null || result.endedAt > since}
          mark={<Outcome result={result} />}
          what={<CommandText result={result} />}
          where={<Place result={result} />}
          at={<TimeAgo at={result.endedAt} />}
        />
      )}
    </BellSection>
  );
}

function Outcome({ result: { device, batch } }: { result: OwnResult }) {
  const { t } = useTranslation('bell');
  if (device) return <ResultTag execution={{ state: 'ended', outcome: device.outcome }} />;
  if (!batch) return null;
  const { succeeded, total } = batch.counts;
  return (
    <Tag tone={succeeded === total ? 'idle' : 'faulted'} glyph={succeeded === total ? 'check' : 'cross'}>
      {t('succeeded', { succeeded, total })}
    </Tag>
  );
}

function CommandText({ result: { kind, connector, key, device } }: { result: OwnResult }) {
  const { nameOf } = useControlNames();
  const connectorName = useConnectorName(device?.protocol ?? null);
  const texts = [
    nameOf(kind, { name: null }, device?.protocol ?? null),
    connector > 0 && connectorName(connector),
    key,
  ];
  return <strong>{texts.filter(Boolean).join(' · ')}</strong>;
}

function Place({ result: { device, batch, siteName } }: { result: OwnResult }) {
  const { t } = useTranslation('bell');
  return (
    <>
      {device && <Link to={`/manage/device/detail/${device.id}?tab=operations`}>{device.name}</Link>}
      {batch && <Link to={`/manage/device/batch/${batch.id}`}>{t('batch', { count: batch.counts.total })}</Link>}
      {` · ${siteName}`}
    </>
  );
}
