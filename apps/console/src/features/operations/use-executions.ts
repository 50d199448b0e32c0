import type { ExecutionRow } from '@chargehand/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { queryOf } from '../../shared/api/query.ts';
import { isOver } from './parameter-state.ts';

/** While something waits it is asked after this often, besides what the stream tells. */
const ASK_MS = 2_000;

/** The newest executions of a device, and how they get on. */
export function useExecutions(deviceId: number, page = 1, pageSize: 10 | 20 | 50 | 100 = 20) {
  return useQuery({
    ...queryOf('listExecutions', { params: { id: deviceId }, query: { page, pageSize } }, { quiet: true }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.items.some(isWaiting) ? ASK_MS : false),
  });
}

function isWaiting(execution: ExecutionRow): boolean {
  return !isOver(execution);
}
