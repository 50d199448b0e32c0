import type { LatestValue, RuntimeItem } from '@chargehand/contract';
import { formatTime, type ReadingSource, readingQuality, shownReading } from '@chargehand/domain';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useNow } from '../../shared/hooks/use-now.ts';
import { useNames } from '../../shared/i18n/use-names.ts';
import { ItemName } from '../../shared/ui/values/item-name.tsx';
import { ValueFaultMark } from '../../shared/ui/values/item-value.tsx';
import { Dash, TimeAgo } from '../../shared/ui/values/time-ago.tsx';
import css from './runtime.module.css';
import { inGroups, itemKey } from './shown-values.ts';

interface Props {
  readings: readonly LatestValue[];
  items: readonly RuntimeItem[];
  source: ReadingSource;
  /** what is shown beside the name of an item to explain it, by the key of the item */
  explain(key: string): ReactNode;
}

/** The latest values of a connector by the groups of the model. Old values show since when nothing was received. */
export function Readings({ readings, items, source, explain }: Props) {
  const { t } = useTranslation('telemetry');
  const { nameOf } = useNames();
  const now = useNow();
  const itemOf = ({ item }: LatestValue) => (item === null ? null : (items[item] ?? null));
  const groups = inGroups(readings, itemOf);
  const newest = Math.max(...readings.map(({ at }) => Date.parse(at)));
  const silent = readingQuality(newest, now, source) === 'old';
  const described = groups.some(({ id }) => id !== null);
  return (
    <>
      {silent && <p className="quiet">{t('items.notSince', { time: formatTime(newest) })}</p>}
      <table className="readings" aria-label={t('lastReadings')}>
        {groups.map(({ id, name, values }) => (
          <tbody key={id ?? 'undescribed'}>
            {described && (
              <tr className={css.readingsGroup}>
                <th scope="rowgroup" colSpan={4}>
                  {name ? nameOf(name) : t('items.undescribed')}
                </th>
              </tr>
            )}
            {values.map((reading) => (
              <Reading
                key={`${reading.key} ${reading.unit}`}
                reading={reading}
                item={itemOf(reading)}
                old={readingQuality(Date.parse(reading.at), now, source) === 'old'}
                // A name with a document opens that; another icon in each row would only be noise.
                explanation={itemOf(reading)?.documentId == null && explain(itemKey(reading, items))}
              />
            ))}
          </tbody>
        ))}
      </table>
    </>
  );
}

interface ReadingProps {
  reading: LatestValue;
  item: RuntimeItem | null;
  old: boolean;
  explanation: ReactNode;
}

function Reading({ reading, item, old, explanation }: ReadingProps) {
  const { t } = useTranslation('telemetry');
  const { language } = useNames();
  const { text, unit, problem } = shownReading(reading, item, language);
  const since = old ? t('items.notSince', { time: formatTime(reading.at) }) : undefined;
  return (
    <tr data-stale={old} title={since}>
      <th scope="row">
        <ItemName
          itemKey={reading.key}
          name={item?.name ?? null}
          variant={reading.variant}
          documentId={item?.documentId ?? null}
        />
        {explanation}
      </th>
      <td className="number">
        {text === '' ? <Dash /> : text}
        <ValueFaultMark problem={problem} />
      </td>
      <td className={css.readingUnit}>{unit}</td>
      <td className={css.readingAge}>
        <TimeAgo at={reading.at} />
        {since && <span className="visually-hidden">{since}</span>}
      </td>
    </tr>
  );
}

/** Items of the model that the device has never reported. */
export function Never({ items }: { items: readonly RuntimeItem[] }) {
  const { t } = useTranslation('telemetry');
  const { nameOf } = useNames();
  if (items.length === 0) return null;
  return (
    <details className="never-reported">
      <summary>{t('items.never', { count: items.length })}</summary>
      <dl>
        {inGroups(items, (item) => item).map(({ id, name, values }) => (
          <div key={id}>
            <dt>{name && nameOf(name)}</dt>
            <dd>{values.map((item) => nameOf(item.name)).join(t('items.comma'))}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
