import { useQuery } from '@tanstack/react-query';
import { call } from '../../../shared/api/client.ts';
import { queryOf } from '../../../shared/api/query.ts';
import { saveObject } from '../save-object.ts';
import { LogPreview } from './log-preview.tsx';

/** Enough to contain a log that was opened from the command that fetched it. */
const PAGE_SIZE = 100;

/** Opens a log of a device; nothing while it is being found. */
export default function LogById({ deviceId, logId, onClose }: { deviceId: number; logId: number; onClose(): void }) {
  const params = { id: deviceId };
  const device = useQuery(queryOf('readDevice', { params }, { quiet: true }));
  const logs = useQuery(
    queryOf('listDeviceLogs', { params, query: { page: 1, pageSize: PAGE_SIZE } }, { quiet: true }),
  );
  const log = logs.data?.items.find(({ id }) => id === logId);
  if (!device.data || !log) return null;
  const download = async () => saveObject(await call('readDeviceLog', { params: { id: deviceId, logId } }));
  return (
    <LogPreview device={device.data} log={log} onDownload={() => void download()} onAdd={undefined} onClose={onClose} />
  );
}
