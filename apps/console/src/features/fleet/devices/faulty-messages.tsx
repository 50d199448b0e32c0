import type { DeviceRow } from '@chargehand/contract';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { detailPath } from './device-paths.ts';

/** Says that messages of a device were rejected or tolerated in the last day. Its page shows which, why and what to do. */
export function FaultyMessages({ device, mayOpen }: { device: DeviceRow; mayOpen: boolean }) {
  const { t } = useTranslation('fleet');
  const { faultyMessages: outcome } = device;
  if (outcome === null) return null;
  const text = t(`list.faultyMessages.${outcome}`);
  return mayOpen ? <Link to={detailPath(device.id)}>{text}</Link> : <span className="quiet">{text}</span>;
}
