import { DOCUMENT_TYPES, type DocumentType } from '@chargehand/domain';
import { Button, Form, Input, Select } from 'antd';
import { useTranslation } from 'react-i18next';
import { useNavigate, useParams, useSearchParams } from 'react-router';
import { CodeEnds } from '../../../shared/ui/explanations/code-ends.tsx';
import { LinkButton } from '../../../shared/ui/page/link-button.tsx';
import { Page, Panel } from '../../../shared/ui/page/page-header.tsx';
import { EmptyState } from '../../../shared/ui/states/empty-state.tsx';
import { ErrorState } from '../../../shared/ui/states/error-state.tsx';
import { SkeletonRows } from '../../../shared/ui/states/skeleton-rows.tsx';
import css from '../documents.module.css';
import { TYPES, typeOf, useTypeName } from '../shared/names.ts';
import { addPath, codePath, type Explained, searchPath } from '../shared/paths.ts';
import { useDocumentRights } from '../shared/use-document-rights.ts';
import { Reader } from './reader.tsx';
import { useWantedLocale } from './reader-page.tsx';
import { useDocument } from './use-document.ts';

/** The document that explains a code or key: `/detail/type/100?code=GroundFailure&deviceModelId=3`. */
export default function CodePage() {
  const params = useParams();
  const [search] = useSearchParams();
  const type = typeOf(params.type);
  const code = search.get('code')?.trim() ?? '';
  const deviceModelId = Number(search.get('deviceModelId')) || undefined;
  if (type === undefined || code === '') return <FindByCode type={type} />;
  return <CodeDocument key={`${type} ${code} ${deviceModelId}`} of={{ type, code, deviceModelId }} />;
}

function CodeDocument({ of }: { of: Explained }) {
  const { t: routes } = useTranslation('routes');
  const { document, missing, error, refetch } = useDocument({ ...of, locale: useWantedLocale() });
  if (document) return <Reader document={document} />;
  return (
    <Page title={routes('docsDetail')} note={<span className="mono">{of.code}</span>}>
      {missing ? (
        <div className="stack">
          <NotExplained of={of} />
          {of.type === DOCUMENT_TYPES.alarm && <CodeEnds codes={[of.code]} />}
        </div>
      ) : error ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <SkeletonRows rows={10} />
      )}
    </Page>
  );
}

/** A code without a document that the reader may see: authors can write it, others can search. */
function NotExplained({ of }: { of: Explained }) {
  const { t } = useTranslation('documents');
  const { add, searches } = useDocumentRights();
  return (
    <EmptyState
      text={add ? t('code.missing', { code: of.code }) : t('code.missingForReaders', { code: of.code })}
      action={
        <span className="field-row">
          {add && (
            <LinkButton to={addPath(of)} primary>
              {t('code.write')}
            </LinkButton>
          )}
          {searches && <LinkButton to={searchPath(of.code)}>{t('code.search')}</LinkButton>}
        </span>
      }
    />
  );
}

/** Without a code in the URL: asks for it. */
function FindByCode({ type }: { type: DocumentType | undefined }) {
  const { t } = useTranslation('documents');
  const { t: routes } = useTranslation('routes');
  const typeName = useTypeName();
  const navigate = useNavigate();
  return (
    <Page title={routes('docsDetail')}>
      <Panel title={t('code.find')}>
        <Form<{ type: DocumentType; code: string }>
          layout="vertical"
          className={css.finder}
          initialValues={{ type: type ?? TYPES[0], code: '' }}
          onFinish={({ type: of, code }) => navigate(codePath({ type: of, code: code.trim() }))}
          aria-label={t('code.find')}
        >
          <Form.Item name="type" label={t('type.label')}>
            <Select options={TYPES.map((value) => ({ value, label: typeName(value) }))} />
          </Form.Item>
          <Form.Item
            name="code"
            label={t('code.label')}
            rules={[{ required: true, whitespace: true, message: t('code.required') }]}
          >
            <Input className="mono" maxLength={100} autoComplete="off" spellCheck={false} autoFocus />
          </Form.Item>
          <Button type="primary" htmlType="submit">
            {t('code.open')}
          </Button>
        </Form>
      </Panel>
    </Page>
  );
}
