import { useQuery } from '@tanstack/react-query';
import { queryOf } from '../../../api/query.ts';
import { usePermitted } from '../../../session/permitted.tsx';
import { DevicePicker } from '../pickers.tsx';

interface DeviceFilterProps {
  placeholder: string;
  siteId: number | undefined;
  value: number | undefined;
  onChange(id: number | undefined): void;
}

/** Filters a list by a device, for users who may list devices. A device in the address is shown by its name. */
export function DeviceFilter({ value, ...props }: DeviceFilterProps) {
  const listed = usePermitted(['auth_device_list']);
  // It may not be among those that the picker shows.
  const chosen = useQuery({
    ...queryOf('readDevice', { params: { id: value ?? 0 } }, { quiet: true }),
    enabled: value !== undefined,
  });
  if (!listed) return null;
  return <DevicePicker {...props} value={value} knownAs={chosen.data?.name ?? (chosen.isError ? `#${value}` : '…')} />;
}
