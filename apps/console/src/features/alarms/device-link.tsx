import { Link } from 'react-router';
import { usePermitted } from '../../shared/session/permitted.tsx';

/** The name of a device, leading to its page for those who may open it. */
function DeviceLink({ id, name }: { id: number; name: string }) {
  const mayOpen = usePermitted(['auth_device_detail']);
  if (!mayOpen) return <span className="no-break">{name}</span>;
  return (
    <Link className="no-break" to={`/manage/device/detail/${id}`}>
      {name}
    </Link>
  );
}

/** Whose row it is in a list of several devices; nothing in that of one. */
export function Whose({ row }: { row: { deviceId?: number; deviceName?: string } }) {
  if (row.deviceId === undefined) return null;
  return <DeviceLink id={row.deviceId} name={row.deviceName ?? ''} />;
}
