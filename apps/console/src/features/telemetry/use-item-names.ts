import type { ReadingItem } from '@chargehand/contract';
import { connectorLabel, variantNames } from '@chargehand/domain';
import { useTranslation } from 'react-i18next';
import { useLocale } from '../../shared/i18n/use-locale.ts';

/** What quantities and connectors are called in the reader's language; the protocol's key where the model says nothing of a quantity. */
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
    /** as the protocol counts them, null where that is not known */
    connectorOf(connector: number, protocol: string | null): string {
      const { kind, ...numbers } = connectorLabel(connector, protocol);
      return t(`connectorName.alone.${kind}`, numbers);
    },
  };
}
