import type { SharedFolder as Folder, OpenedShare } from '@chargehand/contract';
import { formatSize } from '@chargehand/domain';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../shared/api/client.ts';
import { isCancelled } from '../../../shared/api/problem.ts';
import { Preview } from './preview.tsx';
import { archiveAddress, contentAddress } from './share-address.ts';
import { ShareDetails } from './share-details.tsx';
import styles from './share-page.module.css';

/** A shared folder: its files one by one, its subfolders, or everything as an archive. */
export function SharedFolder({ token, content }: { token: string; content: NonNullable<OpenedShare['content']> }) {
  const { t } = useTranslation('share');
  const [folderId, setFolderId] = useState<number | undefined>();
  const [folder, setFolder] = useState<Folder | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [shownId, setShownId] = useState<number | null>(null);

  useEffect(() => {
    const leave = new AbortController();
    const query = { s: token, ...(folderId === undefined ? {} : { folderId }) };
    setProblem(null);
    call('listShared', { query }, { quiet: true, signal: leave.signal }).then(setFolder, (error: unknown) => {
      if (!isCancelled(error)) setProblem(error instanceof Error ? error.message : String(error));
    });
    return () => leave.abort();
  }, [token, folderId]);

  const path = folder?.path ?? [];
  const shown = folder?.items.find(({ kind, id }) => kind === 'file' && id === shownId);
  const open = (id: number | undefined) => {
    setShownId(null);
    setFolderId(id);
  };
  return (
    <>
      <h1 className={styles.name}>{content.name}</h1>
      <ShareDetails content={content} />
      {path.length > 1 && (
        <nav className={styles.path} aria-label={t('folder.path')}>
          {path.map(({ id, name }, index) =>
            index === path.length - 1 ? (
              <span key={id} aria-current="page">
                {name}
              </span>
            ) : (
              <button key={id} type="button" className={styles.link} onClick={() => open(id)}>
                {name}
              </button>
            ),
          )}
        </nav>
      )}
      {problem !== null && (
        <p className={styles.problem} role="alert">
          {problem}
        </p>
      )}
      {folder?.items.length === 0 && <p className={styles.text}>{t('folder.empty')}</p>}
      <ul className={`plain-list ${styles.list}`}>
        {folder?.items.map((item) =>
          item.kind === 'folder' ? (
            <li key={`folder ${item.id}`}>
              <button type="button" className={styles.link} onClick={() => open(item.id)}>
                <span className="two-lines" title={item.name}>
                  {t('folder.named', { name: item.name })}
                </span>
              </button>
            </li>
          ) : (
            <li key={`file ${item.id}`}>
              <span className="two-lines" title={item.name}>
                {item.name}
              </span>
              <span className={styles.size}>{formatSize(item.size ?? 0)}</span>
              {item.unavailable === null ? (
                <span className={styles.entryActions}>
                  {item.preview !== null && (
                    <button
                      type="button"
                      className={styles.link}
                      aria-expanded={shownId === item.id}
                      aria-label={t('preview.of', { name: item.name })}
                      onClick={() => setShownId(shownId === item.id ? null : item.id)}
                    >
                      {t('preview.show')}
                    </button>
                  )}
                  <a
                    className={styles.link}
                    href={contentAddress(token, item.id)}
                    download={item.name}
                    aria-label={t('downloadOf', { name: item.name })}
                  >
                    {t('download')}
                  </a>
                </span>
              ) : (
                <p className={styles.unavailable}>{t(`unavailable.${item.unavailable}`)}</p>
              )}
              {shown?.id === item.id && shown.preview !== null && (
                <div className={styles.within}>
                  <Preview token={token} kind={shown.preview} name={shown.name} fileId={shown.id} />
                </div>
              )}
            </li>
          ),
        )}
      </ul>
      {folder?.items.some(({ unavailable }) => unavailable === null) && (
        <p className={styles.actions}>
          <a
            className="plain-button plain-button-primary"
            href={archiveAddress(token, folderId)}
            download={`${path.at(-1)?.name ?? content.name}.zip`}
          >
            {t('folder.archive')}
          </a>
        </p>
      )}
    </>
  );
}
