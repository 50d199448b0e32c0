import { useTranslation } from 'react-i18next';
import { Tag } from '../../../shared/ui/tag.tsx';

/** Whether somebody may sign in. */
export function UserState({ enabled }: { enabled: boolean }) {
  const { t } = useTranslation('people');
  return (
    <Tag tone={enabled ? 'idle' : 'disabled'} glyph={enabled ? 'check' : 'bar'}>
      {enabled ? t('enabled') : t('disabled')}
    </Tag>
  );
}
