import { DEVICE_TYPES, type DeviceType } from '@chargehand/domain';
import { useTranslation } from 'react-i18next';

/** The type of a device (spec §1) as text; an unknown number is shown unchanged. */
export function DeviceTypeName({ type }: { type: number }) {
  const { t } = useTranslation();
  return type in DEVICE_TYPES ? t(`deviceType.${type as DeviceType}`) : type;
}
