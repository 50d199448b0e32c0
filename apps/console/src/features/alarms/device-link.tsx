import { Link } from 'react-router';
import { usePermitted } from '../../shared/session/permitted.tsx';

interface Named {
  id: number;
  name: string;
}

/** The name of a device, with a link for users who may open its page. */
export function DeviceLink({ id, name }: Named) {
  const mayOpen = usePermitted(['auth_device_detail']);
  if (!mayOpen) return <span>{name}</span>;
  return <Link to={`/manage/device/detail/${id}`}>{name}</Link>;
}

/** The name of a site, with a link for users who may open its page. */
export function SiteLink({ id, name }: Named) {
  const mayOpen = usePermitted(['auth_site_detail']);
  if (!mayOpen) return <span>{name}</span>;
  return <Link to={`/manage/site/detail/${id}`}>{name}</Link>;
}
