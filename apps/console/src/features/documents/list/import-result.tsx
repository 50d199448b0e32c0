import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { Answer } from '../../../shared/api/client.ts';
import css from '../documents.module.css';
import { documentPath } from '../shared/paths.ts';

/** What an import does, or has done, with each file. */
export function ImportResult({ of }: { of: Answer<'importDocuments'> }) {
  const { t } = useTranslation('documents');
  const { created, changed, unchanged, texts, problems, files, leftOut, unused } = of;
  const more = created + changed + unchanged - texts.length;
  return (
    <>
      <p role="status">
        {t('import.created', { count: created })} · {t('import.changed', { count: changed })} ·{' '}
        {t('import.unchanged', { count: unchanged })}
        {files > 0 && ` · ${t('import.files', { count: files })}`}
      </p>
      {problems.length > 0 && (
        <Places
          title={t('import.problems', { count: problems.length })}
          of={problems.map(({ file, message }) => [file, message])}
        />
      )}
      {leftOut.length > 0 && (
        <Places
          title={t('import.leftOut', { count: leftOut.length })}
          of={leftOut.map(({ file, line, message }) => [t('import.line', { file, line }), message])}
        />
      )}
      {unused.length > 0 && (
        <details>
          <summary>{t('import.unused', { count: unused.length })}</summary>
          <ul className={css.imported}>
            {unused.map((file) => (
              <li key={file} className="mono">
                {file}
              </li>
            ))}
          </ul>
        </details>
      )}
      {texts.length > 0 && (
        <ul className={css.imported} aria-label={t('import.each')}>
          {texts.map(({ file, title, state, documentId }) => (
            <li key={file}>
              <span className="mono">{file}</span>
              <span>
                {t(`import.state.${state}`)} ·{' '}
                {documentId === null ? title : <Link to={documentPath(documentId)}>{title}</Link>}
              </span>
            </li>
          ))}
          {more > 0 && <li className="quiet">{t('import.more', { count: more })}</li>}
        </ul>
      )}
    </>
  );
}

/** Places, and what is wrong there. */
export function Places({ title, of }: { title: string; of: readonly (readonly [place: string, message: string])[] }) {
  return (
    <>
      <p className="warning-note">{title}</p>
      <dl className={css.problems}>
        {of.map(([place, message]) => (
          <div key={`${place} ${message}`}>
            <dt className="mono">{place}</dt>
            <dd>{message}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}
