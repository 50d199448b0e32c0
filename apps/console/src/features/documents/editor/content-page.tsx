import type { EditedText, Locale } from '@chargehand/contract';
import { LOCALES } from '@chargehand/contract/constants';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { Button, Segmented } from 'antd';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useParams, useSearchParams } from 'react-router';
import { queryOf } from '../../../shared/api/query.ts';
import { useEditedRow } from '../../../shared/hooks/use-edited-row.ts';
import { useTabLabel } from '../../../shared/hooks/use-tab-label.ts';
import { useLocale } from '../../../shared/i18n/use-locale.ts';
import { DocumentContentView } from '../../../shared/ui/content/document-content-view.tsx';
import { toast } from '../../../shared/ui/dialogs/toast.ts';
import { Page } from '../../../shared/ui/page/page-header.tsx';
import { ErrorState } from '../../../shared/ui/states/error-state.tsx';
import { SkeletonRows } from '../../../shared/ui/states/skeleton-rows.tsx';
import css from './editor.module.css';
import { TextEditor } from './text-editor.tsx';

/** The editor of a document's text, one language at a time, with the other one beside it on request. */
export default function ContentPage() {
  const { t } = useTranslation('editor');
  const { t: documents } = useTranslation('documents');
  const { t: routes } = useTranslation('routes');
  const id = Number(useParams().id);
  const [search, setSearch] = useSearchParams();
  const own = useLocale();
  const locale = LOCALES.find((one) => one === search.get('locale')) ?? own;
  const other = LOCALES.find((one) => one !== locale)!;
  const [comparing, setComparing] = useState(false);
  const flush = useRef<() => Promise<boolean>>(async () => true);
  const text = useEditedRow('readText', { params: { id, locale } });
  const beside = useQuery({
    ...queryOf('readText', { params: { id, locale: other } }, { quiet: true }),
    enabled: comparing,
  });
  useTabLabel(text.data?.title);

  async function open(next: Locale) {
    if (await flush.current()) setSearch({ locale: next }, { replace: true });
    else toast.error(t('draft.notSaved'));
  }

  return (
    <Page
      title={routes('docsContent')}
      actions={
        <Segmented
          aria-label={t('language')}
          value={locale}
          options={LOCALES.map((value) => ({
            value,
            label: (
              <span>
                {documents(`language.${value}`)}
                {value === other && text.data && <State text={text.data} />}
              </span>
            ),
          }))}
          onChange={(next) => void open(next)}
        />
      }
    >
      {text.data ? (
        <TextEditor
          key={`${id}.${locale}`}
          text={text.data}
          compared={Math.max(text.data.other.version, beside.data?.version ?? 0)}
          onFlush={(next) => {
            flush.current = next;
          }}
          actions={
            text.data.other.version > 0 && (
              <Button aria-pressed={comparing} onClick={() => setComparing(!comparing)}>
                {t(comparing ? 'beside.hide' : 'beside.show', { language: documents(`language.${other}`) })}
              </Button>
            )
          }
          beside={comparing && <OtherText text={beside} locale={other} />}
        />
      ) : text.error ? (
        <ErrorState error={text.error} onRetry={() => void text.refetch()} />
      ) : (
        <SkeletonRows rows={8} />
      )}
    </Page>
  );
}

/** Whether the other language exists. */
function State({ text }: { text: { other: { version: number } } }) {
  const { t } = useTranslation('editor');
  return text.other.version === 0 ? <span className="quiet"> · {t('missing')}</span> : null;
}

function OtherText({ text, locale }: { text: UseQueryResult<EditedText>; locale: Locale }) {
  const { t } = useTranslation('editor');
  return (
    <section className={css.beside} aria-label={t('beside.label')} lang={locale}>
      {text.data ? (
        <>
          <h2>{text.data.title}</h2>
          <p className="quiet">{text.data.description}</p>
          <DocumentContentView content={text.data.body} />
        </>
      ) : text.error ? (
        <ErrorState error={text.error} onRetry={() => void text.refetch()} />
      ) : (
        <SkeletonRows rows={6} />
      )}
    </section>
  );
}
