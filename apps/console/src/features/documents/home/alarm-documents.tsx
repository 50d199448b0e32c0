import { DOCUMENT_TYPES } from '@chargehand/domain';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { Answer } from '../../../shared/api/client.ts';
import { usePermitted } from '../../../shared/session/permitted.tsx';
import { Panel } from '../../../shared/ui/page/page-header.tsx';
import css from '../documents.module.css';
import { LanguageTag } from '../shared/language-tag.tsx';
import { codePath } from '../shared/paths.ts';
import { useDocumentRights } from '../shared/use-document-rights.ts';

/** The codes of the fleet's open alarms that a document explains, each with its short answer. */
export function AlarmDocuments({ alarms }: { alarms: Answer<'readDocumentHome'>['forAlarms'] }) {
  const { t } = useTranslation('documents');
  const { seesUnexplained, lists } = useDocumentRights();
  const mayOpenAlarms = usePermitted(['auth_device_list']);
  return (
    <Panel
      title={t('home.forAlarms')}
      extra={seesUnexplained && lists && <Link to="/manage/docs/list?tab=missing">{t('missing.title')}</Link>}
    >
      {alarms.length === 0 ? (
        <p className="quiet">{t('home.noAlarms')}</p>
      ) : (
        <ul className={css.links}>
          {alarms.map(({ code, open, document }) => {
            const count = t('home.open', { count: open });
            return (
              <li key={code}>
                <span className={css.linkText}>
                  <span className={css.linkTitle}>
                    <Link to={codePath({ type: DOCUMENT_TYPES.alarm, code })}>{document.title}</Link>{' '}
                    <span className="quiet mono">{code}</span> <LanguageTag of={document.locale} />
                  </span>
                  {document.description && <span className={css.summary}>{document.description}</span>}
                </span>
                <span className={css.linkAside}>
                  {mayOpenAlarms ? (
                    <Link to={`/manage/device/alarms?${new URLSearchParams({ code })}`}>{count}</Link>
                  ) : (
                    count
                  )}
                </span>
              </li>
            );
          })}
        </ul>
      )}
    </Panel>
  );
}
