import type { OfferedControl } from '@chargehand/contract';
import type { Bilingual, CommandKind } from '@chargehand/domain';
import { useTranslation } from 'react-i18next';
import { useLocale } from '../../shared/i18n/use-locale.ts';

/** What controls and their parameters are called: as the device's model calls them, else in the product's own words. */
export function useControlNames() {
  const { t } = useTranslation('operations');
  const locale = useLocale();
  const inWords = (name: Bilingual) => name[locale === 'zh-CN' ? 'zh' : 'en'];
  return {
    inWords,
    /** One name cannot tell two directions apart: types 3 and 4 keep those of the product. */
    nameOf(kind: CommandKind, control: Pick<OfferedControl, 'name'> & { kinds?: readonly CommandKind[] }): string {
      return control.name && (control.kinds?.length ?? 1) === 1 ? inWords(control.name) : t(`kinds.${kind}.do`);
    },
  };
}
