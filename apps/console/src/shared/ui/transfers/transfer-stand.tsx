import type { BatchTransfer } from '@chargehand/contract';
import { transferReasons } from '@chargehand/contract/transfer-reasons';
import { formatSize } from '@chargehand/domain';
import { useTranslation } from 'react-i18next';
import { useLocale } from '../../i18n/use-locale.ts';
import { Tag } from '../tags/tag.tsx';
import { partMoved, STATE_LOOKS } from './transfer-look.ts';
import './transfer-fields.css';

/** How far a transfer is, in its own words. */
export function TransferTag({ state }: Pick<BatchTransfer, 'state'>) {
  const { t } = useTranslation('transfers');
  return <Tag {...STATE_LOOKS[state]}>{t(`states.${state}`)}</Tag>;
}

/** What of the file has been transferred, while it moves. */
export function TransferSending({ transfer }: { transfer: Pick<BatchTransfer, 'state' | 'size' | 'bytes'> }) {
  const { t } = useTranslation('transfers');
  const { state, size, bytes } = transfer;
  if (state !== 'downloading' && state !== 'uploading') return null;
  const part = partMoved(transfer);
  return (
    <div className="transfer-sending">
      <progress max={1} {...(part === null ? {} : { value: part })} aria-label={t(`states.${state}`)} />
      <span>
        {formatSize(bytes)}
        {size !== null && ` / ${formatSize(size)}`}
      </span>
    </div>
  );
}

/** The sentence for why a transfer failed or ran out of time, with what the device said beside it; empty without one. */
export function useTransferReason(): (transfer: Pick<BatchTransfer, 'reason' | 'detail'>) => string {
  const locale = useLocale();
  return ({ reason, detail }) => {
    if (reason === null) return '';
    return [transferReasons[reason][locale === 'zh-CN' ? 'zh' : 'en'], detail].filter(Boolean).join(' · ');
  };
}
