import type { ReadingItem } from '@chargehand/contract';
import { MAX_CHART_ITEMS } from '@chargehand/contract/constants';
import { Select } from 'antd';
import { useTranslation } from 'react-i18next';
import { itemOf } from '../chart-data/first-items.ts';
import { useItemNames } from '../use-item-names.ts';
import css from './charts.module.css';

interface Props {
  /** the protocol of the devices, if known */
  protocol: string | null;
  /** each once */
  items: readonly ReadingItem[];
  chosen: string[];
  onChange(items: string[]): void;
}

/** Selects quantities by name, grouped as in the model; also found by their protocol key. */
export function ItemSelect({ protocol, items, chosen, onChange }: Props) {
  const { t } = useTranslation('telemetry');
  const { nameOf, groupOf, connectorOf } = useItemNames();
  const connectors = new Set(items.map(({ connector }) => connector)).size;
  const groups = Map.groupBy(items, (item) =>
    [...(connectors > 1 ? [connectorOf(item.connector, protocol)] : []), groupOf(item)]
      .filter((part) => part !== '')
      .join(' · '),
  );
  return (
    <Select
      className={css.chartsKeys}
      mode="multiple"
      maxTagCount="responsive"
      maxCount={MAX_CHART_ITEMS}
      value={chosen}
      placeholder={t('charts.choose')}
      aria-label={t('charts.quantities')}
      optionFilterProp="search"
      options={[...groups].map(([label, members]) => ({
        label: label === '' ? t('charts.other') : label,
        title: label,
        options: members.map((item) => ({
          value: itemOf(item),
          label: nameOf(item),
          title: item.key,
          search: `${nameOf(item)} ${item.key}`,
        })),
      }))}
      onChange={onChange}
    />
  );
}
