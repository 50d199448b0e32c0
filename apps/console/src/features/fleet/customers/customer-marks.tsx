import type { CustomerRow } from '@chargehand/contract';
import { useTranslation } from 'react-i18next';
import { Tag } from '../../../shared/ui/tags/tag.tsx';
import { PlaceState } from '../places/place-state.tsx';
import css from '../places/places.module.css';

/** The tags of a customer: platform vendor, read-only, disabled. */
export function CustomerMarks(props: {
  customer: Pick<CustomerRow, 'enabled' | 'readOnly' | 'platformVendor'>;
  /** also shows a tag when there is none of these */
  always?: boolean;
}) {
  const { customer, always } = props;
  const { t } = useTranslation('places');
  return (
    <span className={css.placeMarks}>
      {(always || !customer.enabled) && <PlaceState enabled={customer.enabled} />}
      {customer.platformVendor && (
        <Tag tone="idle" glyph="flag">
          {t('platformVendor')}
        </Tag>
      )}
      {customer.readOnly && (
        <Tag tone="maintain" glyph="pause">
          {t('readOnly')}
        </Tag>
      )}
    </span>
  );
}
