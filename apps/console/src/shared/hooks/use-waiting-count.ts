import { SLOW_POLL_MS } from '@chargehand/contract/constants';
import { useQuery } from '@tanstack/react-query';
import { queryOf } from '../api/query.ts';
import { usePermitted } from '../session/permitted.tsx';
import { useUser } from '../session/use-user.ts';

/** The number of unregistered devices that tried to connect; 0 for users who may not see them. */
export function useWaitingCount(): number {
  const { user } = useUser();
  const permitted = usePermitted(['auth_black_device']);
  const { data } = useQuery({
    ...queryOf('listWaitingDevices', { query: { page: 1, pageSize: 10 } }, { quiet: true }),
    enabled: permitted && (user.root || user.platformVendor),
    refetchInterval: SLOW_POLL_MS,
  });
  return data?.total ?? 0;
}
