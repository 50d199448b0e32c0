import type { OfferedControl } from '@chargehand/contract';
import { type Bilingual, type CommandKind, isOverMqtt } from '@chargehand/domain';
import { useTranslation } from 'react-i18next';
import { useLocale } from '../../../shared/i18n/use-locale.ts';

/** Texts with a variant for storage units, whose parts are not connectors. */
const UNIT_PARTS = ['disableConnector', 'enableConnector'] as const;
const UNIT_KINDS = ['softReset', 'hardReset', 'disableSystem', 'enableSystem', ...UNIT_PARTS] as const;

/** The names of controls and their parameters: those of the device's model, otherwise the product's own. */
export function useControlNames() {
  const { t } = useTranslation('operations');
  const locale = useLocale();
  const localName = (name: Bilingual) => name[locale === 'zh-CN' ? 'zh' : 'en'];
  return {
    inWords: localName,
    /** Types 3 and 4 keep the product's names, because one name cannot describe both directions. */
    nameOf(
      kind: CommandKind,
      control: Pick<OfferedControl, 'name'> & { kinds?: readonly CommandKind[] },
      protocol: string | null = null,
    ): string {
      if (control.name && (control.kinds?.length ?? 1) === 1) return localName(control.name);
      const part = isOverMqtt(protocol) && UNIT_PARTS.find((one) => one === kind);
      return part ? t(`unit.${part}.do`) : t(`kinds.${kind}.do`);
    },
    /** The effect of a command on a pile or on a storage unit, which has no charging sessions. */
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
