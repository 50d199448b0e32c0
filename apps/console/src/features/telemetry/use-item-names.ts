import type { ReadingItem } from '@chargehand/contract';
import { connectorLabel, variantNames } from '@chargehand/domain';
import { useTranslation } from 'react-i18next';
import { useLocale } from '../../shared/i18n/use-locale.ts';

/**
 * The names of quantities and connectors in the user's language; the protocol key when a quantity is not in the model.
 */
export function useItemNames() {
  const { t } = useTranslation();
  const locale = useLocale();
  const read = (name: { en: string; zh: string } | null) => (locale === 'zh-CN' ? name?.zh : name?.en);
  return {
    nameOf(item: Pick<ReadingItem, 'key' | 'name' | 'part'>): string {
      const name = read(item.name);
      return name === undefined ? item.key : `${name} ${read(variantNames(item.part))}`.trim();
    },
    groupOf: (item: Pick<ReadingItem, 'group'>) => read(item.group) ?? '',
    /** numbered as in the protocol, null when it is unknown */
    connectorOf(connector: number, protocol: string | null): string {
      const { kind, ...numbers } = connectorLabel(connector, protocol);
      return t(`connectorName.alone.${kind}`, numbers);
    },
  };
}
