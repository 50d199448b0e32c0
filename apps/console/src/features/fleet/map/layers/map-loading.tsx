import { useTranslation } from 'react-i18next';
import css from '../map.module.css';

/** Says that a map is still loading, so that empty ground is not taken for the map. */
export function MapLoading() {
  const { t } = useTranslation('places');
  return (
    <p className={css.mapLoading} role="status">
      {t('map.loading')}
    </p>
  );
}
