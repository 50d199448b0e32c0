import type { DocumentDetail } from '@chargehand/contract';
import { useQuery } from '@tanstack/react-query';
import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate, useParams } from 'react-router';
import { call } from '../../../shared/api/client.ts';
import { queryOf, refresh } from '../../../shared/api/query.ts';
import { useTabLabel } from '../../../shared/hooks/use-tab-label.ts';
import { useLevelName } from '../../../shared/i18n/use-level-name.ts';
import { Confirm } from '../../../shared/ui/dialogs/confirm.tsx';
import { toast } from '../../../shared/ui/dialogs/toast.ts';
import { LinkButton } from '../../../shared/ui/page/link-button.tsx';
import { Page, Panel } from '../../../shared/ui/page/page-header.tsx';
import { StoredPicture } from '../../../shared/ui/pictures/stored-picture.tsx';
import { ErrorState } from '../../../shared/ui/states/error-state.tsx';
import { SkeletonRows } from '../../../shared/ui/states/skeleton-rows.tsx';
import { Describe } from '../../../shared/ui/values/describe.tsx';
import { ExactTime } from '../../../shared/ui/values/time-ago.tsx';
import { pathTo } from '../categories/tree.ts';
import { BoundCodes } from '../reader/bound-codes.tsx';
import { useDocument } from '../reader/use-document.ts';
import { ChooseDocument } from '../shared/choose-document.tsx';
import { DeleteDocument } from '../shared/delete-document.tsx';
import { EnabledTag } from '../shared/enabled-tag.tsx';
import { titleOf, useCategoryName, useTypeName } from '../shared/names.ts';
import { documentPath, editPath, propertiesPath } from '../shared/paths.ts';
import { useDocumentRights } from '../shared/use-document-rights.ts';
import { Translations } from './translations.tsx';

/** The properties of a document: who may read and change it, what it explains, its languages. */
export default function PropertiesPage() {
  const { t: routes } = useTranslation('routes');
  const { id } = useParams();
  if (id === undefined) return <ChooseDocument title={routes('docsProps')} to={propertiesPath} />;
  return <Loaded key={id} id={Number(id)} />;
}

function Loaded({ id }: { id: number }) {
  const { t: routes } = useTranslation('routes');
  const { document, error, refetch } = useDocument({ id });
  useTabLabel(document && titleOf(document));
  return document ? (
    <Properties document={document} />
  ) : (
    <Page title={routes('docsProps')}>
      {error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <SkeletonRows rows={8} />}
    </Page>
  );
}

function Properties({ document }: { document: DocumentDetail }) {
  const { t } = useTranslation('documents');
  const rights = useDocumentRights();
  const typeName = useTypeName();
  const levelName = useLevelName();
  const categoryName = useCategoryName();
  const categories = useQuery(queryOf('listCategories', {}, { quiet: true }));
  const { votes } = document;
  const category = pathTo(categories.data?.items ?? [], document.categoryId)
    .map(categoryName)
    .join(' / ');
  return (
    <Page
      title={titleOf(document)}
      note={<EnabledTag enabled={document.enabled} />}
      actions={
        <>
          {rights.reads && <LinkButton to={documentPath(document.id)}>{t('open')}</LinkButton>}
          {document.may.edit && <Switch document={document} />}
          {rights.remove(document) && <Delete document={document} />}
          {document.may.edit && (
            <LinkButton to={editPath(document.id)} primary>
              {t('editProperties')}
            </LinkButton>
          )}
        </>
      }
    >
      <Panel>
        <Describe
          items={[
            { key: 'name', label: t('name'), value: document.name },
            { key: 'owner', label: t('owner.label'), value: document.customer ?? t('owner.platform') },
            { key: 'category', label: t('category.label'), value: category },
            { key: 'type', label: t('type.label'), value: typeName(document.type) },
            { key: 'readLevel', label: t('readLevel'), value: levelName(document.readLevel) },
            { key: 'writeLevel', label: t('writeLevel'), value: levelName(document.writeLevel) },
            { key: 'reads', label: t('reads'), value: document.reads.toLocaleString('en-US') },
            {
              key: 'votes',
              label: t('votes.label'),
              value: t('votes.counts', { helped: votes.helped, notHelped: votes.notHelped }),
            },
            { key: 'created', label: t('createdAt'), value: <By at={document.createdAt} who={document.createdBy} /> },
            { key: 'updated', label: t('updatedAt'), value: <By at={document.updatedAt} who={document.updatedBy} /> },
            ...(document.icon === null
              ? []
              : [
                  {
                    key: 'icon',
                    label: t('icon'),
                    value: <StoredPicture of={document.icon} alt={t('icon')} width={48} height={48} />,
                  },
                ]),
          ]}
        />
      </Panel>
      <Panel title={t('languages')}>
        <Translations document={document} />
      </Panel>
      {document.bindings.length > 0 && (
        <Panel>
          <BoundCodes document={document} />
        </Panel>
      )}
    </Page>
  );
}

function By({ at, who }: { at: string; who: string }) {
  return (
    <>
      <ExactTime at={at} /> · {who}
    </>
  );
}

/** Enables or disables the document after a confirmation. */
function Switch({ document }: { document: DocumentDetail }) {
  const { t } = useTranslation('documents');
  const [open, setOpen] = useState(false);
  const { id, enabled } = document;
  const name = titleOf(document);
  const ok = t(enabled ? 'bulk.disable' : 'bulk.enable');
  return (
    <>
      <Button onClick={() => setOpen(true)}>{ok}</Button>
      {open && (
        <Confirm
          title={t(enabled ? 'switch.disable' : 'switch.enable', { name })}
          ok={ok}
          run={() =>
            call(enabled ? 'disableDocument' : 'enableDocument', { params: { id }, body: {} }, { quiet: true })
          }
          onDone={() => {
            toast.success(t(enabled ? 'switch.disabled' : 'switch.enabled', { name }));
            setOpen(false);
            void refresh('readDocument', 'listDocuments', 'readDocumentHome');
          }}
          onClose={() => setOpen(false)}
        >
          <p>{t(enabled ? 'bulk.disableText' : 'bulk.enableText')}</p>
        </Confirm>
      )}
    </>
  );
}

function Delete({ document }: { document: DocumentDetail }) {
  const { t } = useTranslation('documents');
  const { lists } = useDocumentRights();
  const navigate = useNavigate();
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button danger onClick={() => setOpen(true)}>
        {t('delete.open')}
      </Button>
      {open && (
        <DeleteDocument
          document={document}
          onDone={() => navigate(lists ? '/manage/docs/list' : '/manage/docs/home', { replace: true })}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}
