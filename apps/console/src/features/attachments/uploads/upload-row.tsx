import { CaretRightOutlined, CheckCircleFilled, CloseOutlined, PauseOutlined, ReloadOutlined } from '@ant-design/icons';
import { FILE_RULES, formatSize } from '@chargehand/domain';
import { Button } from 'antd';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { UploadFault, UploadItem } from './upload-item.ts';
import css from './upload-panel.module.css';
import type { Uploads } from './uploads.ts';

const limits = {
  types: FILE_RULES.attachment.endings.join(', '),
  limit: formatSize(FILE_RULES.attachment.limit),
};

/** One file: its name, its state in words, its progress and its buttons. */
export function UploadRow({ item, uploads }: { item: UploadItem; uploads: Uploads }) {
  const { t } = useTranslation('attachments');
  const { id, name, state, sent, size } = item;
  const button = (key: 'pause' | 'resume' | 'retry' | 'reopen' | 'cancel', icon: ReactNode, act: () => unknown) => (
    <Button
      type="text"
      size="small"
      icon={icon}
      title={t(`uploads.${key}`)}
      aria-label={t(`uploads.${key}Of`, { name })}
      onClick={() => void act()}
    />
  );
  return (
    <li className={css.row} data-state={state}>
      <span className={css.name} title={name}>
        {item.savedAs ?? name}
      </span>
      <span className={css.buttons}>
        {(state === 'sending' || state === 'waiting') &&
          button('pause', <PauseOutlined aria-hidden="true" />, () => uploads.pause(id))}
        {state === 'paused' && button('resume', <CaretRightOutlined aria-hidden="true" />, () => uploads.resume(id))}
        {(state === 'failed' || state === 'interrupted') &&
          button('retry', <ReloadOutlined aria-hidden="true" />, () => uploads.resume(id))}
        {state === 'fileMissing' &&
          item.reopens &&
          button('reopen', <CaretRightOutlined aria-hidden="true" />, () => uploads.reopen(id))}
        {state !== 'done' &&
          state !== 'saving' &&
          button('cancel', <CloseOutlined aria-hidden="true" />, () => uploads.cancel(id))}
        {state === 'done' && <CheckCircleFilled className={css.done} aria-hidden="true" />}
      </span>
      {BARS.has(state) && (
        <progress className={css.bar} max={size || 1} value={sent} aria-label={t('uploads.progressOf', { name })} />
      )}
      <span className={css.state}>
        {state === 'failed' ? (
          <span className={css.failed} role="alert">
            {item.problem && <Problem problem={item.problem} size={size} />}
          </span>
        ) : (
          t(`uploads.states.${state}`, {
            sent: formatSize(sent),
            size: formatSize(size),
            folder: item.target.folderName,
          })
        )}
      </span>
    </li>
  );
}

function Problem({ problem, size }: { problem: UploadFault; size: number }) {
  const { t } = useTranslation('attachments');
  if ('message' in problem) return problem.message;
  if ('free' in problem) return t('uploads.noSpace', { size: formatSize(size), free: formatSize(problem.free) });
  return t(`uploads.faults.${problem.fault}`, limits);
}

const BARS: ReadonlySet<UploadItem['state']> = new Set(['sending', 'saving', 'interrupted', 'paused', 'fileMissing']);
