import { useTranslation } from 'react-i18next';
import type { FilterField } from '../../../../shared/hooks/lists/use-list-query.ts';
import { RegionField } from './region-field.tsx';

/**
 * Filters a list by a region with all its parts. The value is codes separated by slashes, as in the contract's lists.
 */
export function RegionFilter({ value, onChange }: FilterField<string>) {
  const { t } = useTranslation('places');
  return (
    <RegionField
      value={value?.split('/')}
      placeholder={t('region.label')}
      label={t('region.label')}
      withOff
      onChange={(path) => onChange(path.length > 0 ? path.join('/') : undefined)}
    />
  );
}
