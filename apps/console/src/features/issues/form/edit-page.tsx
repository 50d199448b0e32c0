import { useTranslation } from 'react-i18next';
import { useParams } from 'react-router';
import { call } from '../../../shared/api/client.ts';
import { refresh } from '../../../shared/api/query.ts';
import { EditPage } from '../../../shared/ui/form-page/edit-page.tsx';
import { CHANGED_QUERIES } from '../shared/changed-queries.ts';
import { issuePath } from '../shared/issue-paths.ts';
import { IssueForm } from './issue-form.tsx';

/** Edits an issue. */
export default function IssueEditPage() {
  const { t } = useTranslation('issue');
  const { t: common } = useTranslation();
  const id = Number(useParams().id);
  return (
    <EditPage
      key={id}
      title={t('form.edit')}
      read="readIssue"
      input={{ params: { id } }}
      nameOf={({ key, title }) => `${key} ${title}`}
    >
      {(issue) => (
        <IssueForm
          issue={issue}
          initial={{
            ...{ title: issue.title, type: issue.type, priority: issue.priority, labels: issue.labels },
            ...{ occurredAt: issue.occurredAt, dueAt: issue.dueAt, assigneeId: issue.assignee?.id ?? null },
          }}
          saves={common('save')}
          onSave={async ({ subject: _, watcherIds: __, body, occurredAt, ...values }) => {
            await call(
              'updateIssue',
              {
                params: { id },
                body: {
                  ...values,
                  ...(occurredAt !== null && { occurredAt }),
                  ...(body && { body }),
                  revision: issue.revision,
                },
              },
              { quiet: true },
            );
            void refresh(...CHANGED_QUERIES);
            return issuePath(id);
          }}
        />
      )}
    </EditPage>
  );
}
