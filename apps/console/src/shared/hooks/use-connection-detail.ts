import { connectionDetail } from '@chargehand/domain';
import { useTranslation } from 'react-i18next';

/** A stored detail in the user's language if it is one of the server; texts of devices are unchanged. */
export function useConnectionDetail(): (detail: string) => string {
  const { t } = useTranslation();
  return (detail) => {
    const known = connectionDetail(detail);
    return known ? t(`connectionDetail.${known.key}`, known.values) : detail;
  };
}
