import type { ExecutionTransfer } from '@chargehand/contract';
import { transferReasons } from '@chargehand/contract/transfer-reasons';
import { formatSize } from '@chargehand/domain';
import { useTranslation } from 'react-i18next';
import { useLocale } from '../../i18n/use-locale.ts';
import { Tag } from '../tags/tag.tsx';
import { partMoved, STATE_LOOKS } from './transfer-look.ts';
import './transfer-fields.css';

/** The state of a transfer. */
export function TransferTag({ state }: Pick<ExecutionTransfer, 'state'>) {
  const { t } = useTranslation('transfers');
  return <Tag {...STATE_LOOKS[state]}>{t(`states.${state}`)}</Tag>;
}

/** The transferred part of the file, while the transfer runs. */
export function TransferSending({ transfer }: { transfer: Pick<ExecutionTransfer, 'state' | 'size' | 'bytes'> }) {
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

/** The text for the reason why a transfer failed or timed out, with the report of the device; empty without one. */
export function useTransferReason(): (transfer: Pick<ExecutionTransfer, 'reason' | 'detail'>) => string {
  const locale = useLocale();
  return ({ reason, detail }) => {
    if (reason === null) return '';
    return [transferReasons[reason][locale === 'zh-CN' ? 'zh' : 'en'], detail].filter(Boolean).join(' · ');
  };
}
