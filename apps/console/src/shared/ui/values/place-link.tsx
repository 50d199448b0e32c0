import { Link } from 'react-router';
import { usePermitted } from '../../session/permitted.tsx';

interface Named {
  id: number;
  name: string;
}

/**
 * The name of a device, with a link for users who may open its page. `from` is the list or place that shows it, and that
 * the page of the device then names as the one before it.
 */
export function DeviceLink({ id, name, from }: Named & { from?: 'alarms' | 'site' | undefined }) {
  const mayOpen = usePermitted(['auth_device_detail']);
  if (!mayOpen) return <span>{name}</span>;
  return <Link to={`/manage/device/${from ? `${from}/` : ''}detail/${id}`}>{name}</Link>;
}

/** The name of a site, with a link for users who may open its page. */
export function SiteLink({ id, name }: Named) {
  const mayOpen = usePermitted(['auth_site_detail']);
  if (!mayOpen) return <span>{name}</span>;
  return <Link to={`/manage/site/detail/${id}`}>{name}</Link>;
}

/** The name of a customer, with a link for users who may open its page. */
export function CustomerLink({ id, name }: Named) {
  const mayOpen = usePermitted(['auth_customer_detail']);
  if (!mayOpen) return <span>{name}</span>;
  return <Link to={`/manage/customer/detail/${id}`}>{name}</Link>;
}
