import { useTranslation } from 'react-i18next';
import { Tag } from '../../../shared/ui/tags/tag.tsx';

/** Whether readers see a document. */
export function EnabledTag({ enabled }: { enabled: boolean }) {
  const { t } = useTranslation('documents');
  return enabled ? (
    <Tag tone="plain" glyph="check">
      {t('enabled')}
    </Tag>
  ) : (
    <Tag tone="disabled" glyph="cross" title={t('disabledHint')}>
      {t('disabled')}
    </Tag>
  );
}
