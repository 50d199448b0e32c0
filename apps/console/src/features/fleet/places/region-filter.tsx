import { useTranslation } from 'react-i18next';
import { RegionField } from './region-field.tsx';

interface Props {
  /** codes with a slash between, as the contract's lists take them */
  value: string | undefined;
  change(change: { region: string | undefined }): void;
}

/** Narrows a list to a region and all it contains. */
export function RegionFilter({ value, change }: Props) {
  const { t } = useTranslation('places');
  return (
    <RegionField
      value={value?.split('/')}
      placeholder={t('region.label')}
      label={t('region.label')}
      onChange={(path) => change({ region: path.length > 0 ? path.join('/') : undefined })}
    />
  );
}
