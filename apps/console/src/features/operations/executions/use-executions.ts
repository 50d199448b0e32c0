import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { queryOf } from '../../../shared/api/query.ts';

/** The latest executions of a device, with their progress. */
export function useExecutions(deviceId: number, page = 1, pageSize: 10 | 20 | 50 | 100 = 20) {
  return useQuery({
    ...queryOf('listExecutions', { params: { id: deviceId }, query: { page, pageSize } }, { quiet: true }),
    placeholderData: keepPreviousData,
  });
}
