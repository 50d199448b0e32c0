import type { ProtocolFrameRow } from '@chargehand/contract';
import { formatSize, formatSpan, formatTime } from '@chargehand/domain';
import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { AddToIssue } from '../../../shared/ui/issues/add/add-to-issue.tsx';
import { useAddsToIssues } from '../../../shared/ui/issues/add/use-adds-to-issues.ts';
import { copyText } from '../../../shared/ui/values/copy-text.ts';
import { Copyable } from '../../../shared/ui/values/copyable.tsx';
import { clockOf, FrameMark, typeName } from './frame-list.tsx';
import { frameNodes } from './frame-nodes.ts';
import { decode, type Pair, prettyBody } from './frames.ts';
import css from './protocol.module.css';

interface Props {
  deviceId: number;
  frame: ProtocolFrameRow;
  pair: Pair | undefined;
  /** the request of a response or the response of a request, if known */
  other: ProtocolFrameRow | null;
  onChoose(id: number): void;
  onClose(): void;
}

/** A parsed frame, and its counterpart: request and response in order. */
export function FrameDetail({ deviceId, frame, pair, other, onChoose, onClose }: Props) {
  const { t } = useTranslation('audit');
  const { t: common } = useTranslation();
  const toIssue = useAddsToIssues();
  const [adds, setAdds] = useState(false);
  const exchange = other ? [frame, other].sort((a, b) => a.id - b.id) : [frame];
  return (
    <aside className={css.frameDetail} aria-label={t('frame.detail')}>
      <header>
        <strong>{frame.action ?? pair?.action ?? t(`frame.types.${typeName(frame.type)}`)}</strong>
        {pair?.ms != null && <span className="quiet">{t('frame.answeredIn', { time: formatSpan(pair.ms) })}</span>}
        {toIssue && (
          <Button size="small" onClick={() => setAdds(true)}>
            {common('issue.add')}
          </Button>
        )}
        <Button type="text" onClick={onClose} aria-label={t('frame.closeDetail')}>
          {'×'}
        </Button>
      </header>
      {exchange.map((one) => (
        <FrameBody key={one.id} frame={one} current={one.id === frame.id} onChoose={onChoose} />
      ))}
      {!other && decode(frame.body)?.kind === 'call' && <p className="quiet">{t('frame.unanswered')}</p>}
      {adds && (
        <AddToIssue
          name={frame.action ?? pair?.action ?? t(`frame.types.${typeName(frame.type)}`)}
          deviceId={deviceId}
          prepare={(issueId, signal) =>
            frameNodes(exchange, (type) => t(`frame.types.${typeName(type)}`), issueId, signal)
          }
          onClose={() => setAdds(false)}
        />
      )}
    </aside>
  );
}

/** A frame: its time, direction, message ID and content. */
export function FrameBody(props: { frame: ProtocolFrameRow; current: boolean; onChoose?(id: number): void }) {
  const { t } = useTranslation('audit');
  const { frame, current, onChoose } = props;
  const message = decode(frame.body);
  const text = frame.body === null ? null : message ? JSON.stringify(message.payload, null, 2) : prettyBody(frame.body);
  return (
    <section className={css.frameHalf} data-current={current}>
      <div className={css.frameHalfHead}>
        <FrameMark type={typeName(frame.type)} />
        <span>{`${formatTime(frame.at).slice(0, 10)} ${clockOf(frame.at)}`}</span>
        {message && <span className="quiet">{t(`frame.kinds.${message.kind}`)}</span>}
        <span className="quiet">{formatSize(frame.bytes)}</span>
        {!current && onChoose && (
          <button type="button" className="text-button" onClick={() => onChoose(frame.id)}>
            {t('frame.goTo')}
          </button>
        )}
      </div>
      {frame.messageId && (
        <div className={`quiet ${css.frameMessageId}`}>
          {t('frame.messageId')} <Copyable text={frame.messageId} />
        </div>
      )}
      {frame.note && <p className="warning-note">{frame.note}</p>}
      {text !== null && (
        <div className={css.frameJson}>
          <button type="button" className="text-button" onClick={() => void copyText(frame.body ?? '')}>
            {t('frame.copyRaw')}
          </button>
          <pre className="mono">{text}</pre>
        </div>
      )}
    </section>
  );
}
