import { PrinterOutlined } from '@ant-design/icons';
import type { DocumentDetail } from '@chargehand/contract';
import { DOCUMENT_TYPES, headingsOf } from '@chargehand/domain';
import { Button } from 'antd';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useTabLabel } from '../../../shared/hooks/use-tab-label.ts';
import { useLocale } from '../../../shared/i18n/use-locale.ts';
import { DocumentContentView } from '../../../shared/ui/content/document-content-view.tsx';
import { LinkButton } from '../../../shared/ui/page/link-button.tsx';
import { Emblem } from '../../../shared/ui/pictures/stored-picture.tsx';
import { EmptyState } from '../../../shared/ui/states/empty-state.tsx';
import { ExactTime } from '../../../shared/ui/values/time-ago.tsx';
import css from '../documents.module.css';
import { titleOf } from '../shared/names.ts';
import { contentPath, documentPath, editPath, propertiesPath } from '../shared/paths.ts';
import { useDocumentRights } from '../shared/use-document-rights.ts';
import { BoundCodes } from './bound-codes.tsx';
import { CodeFigures } from './code-figures.tsx';
import { LanguageNote, LanguageSwitch } from './languages.tsx';
import { Outline } from './outline.tsx';
import reader from './reader.module.css';
import { Votes } from './votes.tsx';

/** A document for readers: its outline, its text, what it explains, and what happened in the fleet. */
export function Reader({ document }: { document: DocumentDetail }) {
  const { t } = useTranslation('documents');
  const own = useLocale();
  const rights = useDocumentRights();
  const headings = useMemo(() => headingsOf(document.body), [document.body]);
  const title = titleOf(document);
  useTabLabel(title);
  const { locale, may } = document;
  const editsContent = may.edit && rights.editContent(document);
  const explainsCodes = document.type === DOCUMENT_TYPES.alarm && document.bindings.length > 0;
  return (
    <div className={`page ${reader.page}`}>
      <header className={reader.head}>
        {document.icon !== null && <Emblem of={document.icon} name={title} size={40} />}
        <div className={reader.title}>
          <h1 lang={locale ?? undefined}>{title}</h1>
          <p className="quiet">
            {!document.enabled && <span className={css.mark}>{t('disabled')}</span>}{' '}
            {t('reader.changed', { name: document.updatedBy })} <ExactTime at={document.updatedAt} />
            <span className={reader.address}>{`${location.origin}${documentPath(document.id)}`}</span>
          </p>
        </div>
        <div className={`field-row ${reader.actions}`}>
          <LanguageSwitch document={document} />
          {locale !== null && (
            <Button icon={<PrinterOutlined aria-hidden="true" />} onClick={() => print()}>
              {t('reader.print')}
            </Button>
          )}
          {rights.manages && <LinkButton to={propertiesPath(document.id)}>{t('properties')}</LinkButton>}
          {may.edit && <LinkButton to={editPath(document.id)}>{t('editProperties')}</LinkButton>}
          {editsContent && (
            <LinkButton to={contentPath(document, locale ?? own)} primary>
              {t('editContent')}
            </LinkButton>
          )}
        </div>
      </header>
      <LanguageNote document={document} />
      {explainsCodes && <CodeFigures id={document.id} codes={document.bindings.map(({ key }) => key)} />}
      <div className={reader.columns} data-outlined={headings.length > 1 || undefined}>
        {headings.length > 1 && <Outline headings={headings} lang={locale} />}
        <article className={reader.article} lang={locale ?? undefined}>
          {locale === null ? (
            <EmptyState
              text={t('reader.noText')}
              action={
                editsContent && (
                  <LinkButton to={contentPath(document, own)} primary>
                    {t('reader.write')}
                  </LinkButton>
                )
              }
            />
          ) : (
            <>
              {document.description && <p className={reader.summary}>{document.description}</p>}
              <DocumentContentView
                key={`${document.id} ${locale}`}
                content={document.body}
                lang={locale}
                steps={`${document.id} ${locale}`}
              />
            </>
          )}
          {document.bindings.length > 0 && <BoundCodes document={document} />}
          {document.enabled && locale !== null && <Votes document={document} />}
        </article>
      </div>
    </div>
  );
}
