import { Link } from 'react-router';
import { usePermitted } from '../../shared/session/permitted.tsx';

/** The name of a device, leading to its page for those who may open it. */
export function DeviceLink({ id, name }: { id: number; name: string }) {
  const mayOpen = usePermitted(['auth_device_detail']);
  if (!mayOpen) return <span className="no-break">{name}</span>;
  return (
    <Link className="no-break" to={`/manage/device/detail/${id}`}>
      {name}
    </Link>
  );
}
