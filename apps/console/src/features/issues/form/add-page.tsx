import { ISSUE_PRIORITIES, ISSUE_TYPES, isEmptyContent } from '@chargehand/domain';
import { Form } from 'antd';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { call, type InputOf } from '../../../shared/api/client.ts';
import { refresh } from '../../../shared/api/query.ts';
import { useRequestKey } from '../../../shared/hooks/use-request-key.ts';
import { toast } from '../../../shared/ui/dialogs/toast.ts';
import { Page } from '../../../shared/ui/page/page-header.tsx';
import { SkeletonRows } from '../../../shared/ui/states/skeleton-rows.tsx';
import { CHANGED_QUERIES } from '../shared/changed-queries.ts';
import { issuePath } from '../shared/issue-paths.ts';
import { GivenSubject } from './given-subject.tsx';
import { IssueForm } from './issue-form.tsx';
import { type KnownSubject, type Subject, subjectIn, useSubject } from './issue-subject.ts';
import { SubjectField } from './subject-field.tsx';

/** Reports an issue of what the address names, or of a device, site or customer that is chosen here. */
export default function AddPage() {
  const { t } = useTranslation('issue');
  const [search] = useSearchParams();
  const given = subjectIn(search);
  const known = useSubject(given);
  const choice = (
    <Form.Item
      name="subject"
      label={t('form.subject')}
      className="form-wide"
      rules={[{ required: true, message: t('form.subjectMissing') }]}
    >
      <SubjectField />
    </Form.Item>
  );
  return (
    <Page title={t('form.add')} note={known?.name}>
      {given === null ? (
        <NewIssue given={null} known={null} field={choice} />
      ) : known === null ? (
        <SkeletonRows rows={8} />
      ) : (
        <NewIssue given={given} known={known} field={<GivenSubject subject={given} known={known} />} />
      )}
    </Page>
  );
}

function NewIssue(props: { given: Subject | null; known: KnownSubject | null; field: ReactNode }) {
  const { given, known, field } = props;
  const { t } = useTranslation('issue');
  const withKey = useRequestKey();
  return (
    <IssueForm
      initial={{
        ...{ subject: null, title: known?.title ?? '', occurredAt: known?.occurredAt ?? null },
        ...{ type: known?.type ?? ISSUE_TYPES.charging, priority: known?.priority ?? ISSUE_PRIORITIES.OA },
        ...{ dueAt: null, assigneeId: null, labels: [], watcherIds: [] },
      }}
      subject={field}
      readers={known?.readers}
      saves={t('form.report')}
      onSave={async ({ subject, body, occurredAt, watcherIds = [], ...values }) => {
        const about = given ?? subject;
        // The form is not saved without one.
        if (!about) return '/manage/issue/list';
        const entered = {
          ...values,
          watcherIds,
          ...(occurredAt !== null && { occurredAt }),
          ...(body && !isEmptyContent(body) && { body }),
        };
        const { id, key, existing } = await withKey([about, entered], (requestKey) =>
          create(about, { ...entered, requestKey }),
        );
        if (existing) toast.info(t('form.existing', { issue: key }));
        else toast.success(t('form.created', { issue: key }));
        void refresh(...CHANGED_QUERIES);
        return issuePath(id);
      }}
    />
  );
}

type NewIssueBody = InputOf<'createDeviceIssue'>['body'];

/** @throws ApiProblem */
function create(subject: Subject, body: NewIssueBody) {
  const quiet = { quiet: true };
  switch (subject.kind) {
    case 'alarm':
      return call('createAlarmIssue', { params: { id: subject.id }, body }, quiet);
    case 'execution':
      return call('createCommandIssue', { params: { executionId: subject.id }, body }, quiet);
    case 'device':
      return call('createDeviceIssue', { params: { id: subject.id }, body }, quiet);
    case 'site':
      return call('createSiteIssue', { params: { id: subject.id }, body }, quiet);
    case 'customer':
      return call('createCustomerIssue', { params: { id: subject.id }, body }, quiet);
  }
}
