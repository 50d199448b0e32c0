import { BULK_SLICE } from '@chargehand/contract/constants';
import { Progress } from 'antd';

/** How far a change of many rows is. A single request is too short for a progress bar. */
export function SliceProgress({ done, total, label }: { done: number; total: number; label: string }) {
  if (total <= BULK_SLICE) return null;
  return <Progress percent={Math.floor((done / total) * 100)} format={() => `${done} / ${total}`} aria-label={label} />;
}
