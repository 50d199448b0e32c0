import { CloseOutlined, DownOutlined, UpOutlined } from '@ant-design/icons';
import { formatSize, uploadStandstill } from '@chargehand/domain';
import { Button } from 'antd';
import { useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useExternal } from '../../../shared/lib/external.ts';
import { useUser } from '../../../shared/session/use-user.ts';
import { AntdProvider } from '../../../shared/ui/page/antd-provider.tsx';
import { totalOf, type UploadItem } from './upload-item.ts';
import css from './upload-panel.module.css';
import { otherTabs, uploadQueue } from './upload-queue.ts';
import { UploadRow } from './upload-row.tsx';
import { sumOf } from './upload-tabs.ts';

/** More rows are counted: a list of thousands would slow down every progress report. */
const MOST_ROWS = 100;
/** The order of the list: what needs attention comes first. */
const ORDER: readonly UploadItem['state'][] = [
  ...(['fileMissing', 'failed', 'saving', 'sending', 'interrupted', 'paused', 'waiting', 'done'] as const),
];

/** The list of uploads, which stays on the screen while the user visits other pages. */
export default function UploadPanel() {
  const { user } = useUser();
  // A user change creates another queue.
  return (
    <AntdProvider>
      <Panel key={user.id} />
    </AntdProvider>
  );
}

function Panel() {
  const { t } = useTranslation('attachments');
  const id = useId();
  const uploads = uploadQueue();
  const items = useExternal(uploads.items);
  const elsewhere = useExternal(otherTabs());
  const [open, setOpen] = useState(true);
  const input = useRef<HTMLInputElement>(null);
  const [mismatch, setMismatch] = useState<string | null>(null);
  const others = elsewhere?.open ?? 0;
  if (items.length === 0 && others === 0) return null;

  // One state for all tabs: the same numbers in each of them.
  const total = sumOf([totalOf(items), ...(elsewhere && others > 0 ? [elsewhere] : [])]);
  const reason = uploadStandstill(total.counts);
  const percent = total.size === 0 ? 100 : Math.floor((total.sent / total.size) * 100);
  const missing = items.filter(({ state }) => state === 'fileMissing');
  const rows = items.toSorted((one, other) => ORDER.indexOf(one.state) - ORDER.indexOf(other.state));
  const summary =
    total.open > 0
      ? t('uploads.progress', { percent, done: total.done, count: total.open + total.done })
      : t('uploads.finished', { count: total.done });

  function choose(files: FileList | null) {
    const chosen = [...(files ?? [])];
    const left = missing.filter(({ id: one }) => !chosen.some((file) => uploads.giveFile(one, { file })));
    setMismatch(left.length === missing.length ? t('uploads.otherFile', { name: missing[0]?.name ?? '' }) : null);
  }

  return (
    <section className={css.panel} data-open={open} aria-labelledby={id}>
      <header className={css.head}>
        <h2 id={id} className={css.title}>
          {t('uploads.title')}
        </h2>
        <span className={css.summary} role="status">
          {summary}
          {total.failed > 0 && (
            <strong className={css.failed}> · {t('uploads.failed', { count: total.failed })}</strong>
          )}
        </span>
        <Button
          type="text"
          size="small"
          icon={open ? <DownOutlined /> : <UpOutlined />}
          aria-label={open ? t('uploads.collapse') : t('uploads.expand')}
          aria-expanded={open}
          onClick={() => setOpen(!open)}
        />
        {total.open === 0 && (
          <Button
            type="text"
            size="small"
            icon={<CloseOutlined />}
            aria-label={t('uploads.close')}
            onClick={() => {
              for (const { id: one, state } of items) if (state === 'failed') uploads.cancel(one);
              uploads.clear();
            }}
          />
        )}
      </header>
      {total.open > 0 && (
        <progress className={css.total} max={total.size || 1} value={total.sent} aria-label={t('uploads.title')} />
      )}
      {reason && !(reason === 'fileMissing' && missing.length > 0) && (
        <p className={css.note} role="status">
          {t(`uploads.still.${reason}`)}
        </p>
      )}
      {others > 0 && <p className={css.note}>{t('uploads.otherTab', { count: others })}</p>}
      {open && (
        <>
          {missing.length > 0 && (
            <div className={css.missing}>
              <p>{t('uploads.missingText', { count: missing.length })}</p>
              <input
                ref={input}
                hidden
                type="file"
                multiple
                onChange={(event) => {
                  choose(event.target.files);
                  event.target.value = '';
                }}
              />
              <Button size="small" onClick={() => input.current?.click()}>
                {t('uploads.chooseAgain')}
              </Button>
              {mismatch && (
                <p className="error-note" role="alert">
                  {mismatch}
                </p>
              )}
            </div>
          )}
          <ul className={css.list} aria-label={t('uploads.files')}>
            {rows.slice(0, MOST_ROWS).map((item) => (
              <UploadRow key={item.id} item={item} uploads={uploads} />
            ))}
            {rows.length > MOST_ROWS && (
              <li className="quiet">{t('uploads.more', { count: rows.length - MOST_ROWS })}</li>
            )}
          </ul>
          {total.open > 1 && (
            <footer className={css.foot}>
              <span className="quiet">
                {t('uploads.bytes', { sent: formatSize(total.sent), size: formatSize(total.size) })}
              </span>
              <PauseAll items={items} />
            </footer>
          )}
        </>
      )}
    </section>
  );
}

/** Pauses every upload, or continues the paused ones. */
function PauseAll({ items }: { items: readonly UploadItem[] }) {
  const { t } = useTranslation('attachments');
  const uploads = uploadQueue();
  const running = items.filter(({ state }) => state === 'waiting' || state === 'sending' || state === 'interrupted');
  const paused = items.filter(({ state }) => state === 'paused');
  if (running.length > 0) {
    // Waiting ones first, so that none of them starts.
    const last = running.toSorted((one, other) => Number(one.state !== 'waiting') - Number(other.state !== 'waiting'));
    return (
      <Button size="small" onClick={() => last.forEach(({ id }) => void uploads.pause(id))}>
        {t('uploads.pauseAll')}
      </Button>
    );
  }
  return (
    paused.length > 0 && (
      <Button size="small" onClick={() => paused.forEach(({ id }) => void uploads.resume(id))}>
        {t('uploads.resumeAll')}
      </Button>
    )
  );
}
