import { useTranslation } from 'react-i18next';
import type { FilterField } from '../../../shared/hooks/lists/use-list-query.ts';
import { RegionField } from './region-field.tsx';

/** Narrows a list to a region and all it contains. The value is codes with a slash between, as the contract's lists take it. */
export function RegionFilter({ value, onChange }: FilterField<string>) {
  const { t } = useTranslation('places');
  return (
    <RegionField
      value={value?.split('/')}
      placeholder={t('region.label')}
      label={t('region.label')}
      onChange={(path) => onChange(path.length > 0 ? path.join('/') : undefined)}
    />
  );
}
