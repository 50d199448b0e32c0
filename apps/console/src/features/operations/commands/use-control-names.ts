import type { OfferedControl } from '@chargehand/contract';
import { type Bilingual, type CommandKind, isOverMqtt } from '@chargehand/domain';
import { useTranslation } from 'react-i18next';
import { useLocale } from '../../../shared/i18n/use-locale.ts';

/** What is said of a storage unit in words of its own; its parts are no connectors. */
const UNIT_PARTS = ['disableConnector', 'enableConnector'] as const;
const UNIT_KINDS = ['softReset', 'hardReset', 'disableSystem', 'enableSystem', ...UNIT_PARTS] as const;

/** What controls and their parameters are called: as the device's model calls them, else in the product's own words. */
export function useControlNames() {
  const { t } = useTranslation('operations');
  const locale = useLocale();
  const inWords = (name: Bilingual) => name[locale === 'zh-CN' ? 'zh' : 'en'];
  return {
    inWords,
    /** One name cannot tell two directions apart: types 3 and 4 keep those of the product. */
    nameOf(
      kind: CommandKind,
      control: Pick<OfferedControl, 'name'> & { kinds?: readonly CommandKind[] },
      protocol: string | null = null,
    ): string {
      if (control.name && (control.kinds?.length ?? 1) === 1) return inWords(control.name);
      const part = isOverMqtt(protocol) && UNIT_PARTS.find((one) => one === kind);
      return part ? t(`unit.${part}.do`) : t(`kinds.${kind}.do`);
    },
    /** What a command will do, to a pile or to a storage unit, which charges nobody's vehicle. */
    effectOf(
      kind: CommandKind,
      protocol: string | null,
      names: { name: string; place: string; Place: string },
    ): string {
      const own = isOverMqtt(protocol) && UNIT_KINDS.find((one) => one === kind);
      return own ? t(`unit.${own}.text`, names) : t(`kinds.${kind}.text`, names);
    },
  };
}
