import { useTranslation } from 'react-i18next';
import { Tag } from '../../../shared/ui/tags/tag.tsx';

/** Whether a customer, a site or a user is enabled. */
export function PlaceState({ enabled }: { enabled: boolean }) {
  const { t } = useTranslation('places');
  return enabled ? (
    <Tag tone="plain" glyph="check">
      {t('enabled')}
    </Tag>
  ) : (
    <Tag tone="plain" glyph="bar">
      {t('disabled')}
    </Tag>
  );
}
