import { type ContentNode, type DocumentContent, FILE_RULES, formatSize, ISSUE_TYPES } from '@chargehand/domain';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Checkbox, Input, Segmented, Select } from 'antd';
import { useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../api/client.ts';
import { queryOf, refresh } from '../../../api/query.ts';
import { useTyped } from '../../../hooks/use-typed.ts';
import { UploadProblem } from '../../../storage/upload.ts';
import { Confirm } from '../../dialogs/confirm.tsx';
import { toast } from '../../dialogs/toast.ts';
import { ErrorNote } from '../../states/error-note.tsx';
import { useReportsIssues } from '../report-path.ts';

export interface AddToIssueProps {
  /** what is added */
  name: string;
  /** what it is about: its open issues are offered first, and a new issue is about it */
  deviceId?: number | undefined;
  /** the same for a site */
  siteId?: number | undefined;
  /** Makes the parts of the comment, such as by uploading files for the issue. @throws UploadProblem, ApiProblem */
  prepare(issueId: number, signal: AbortSignal): Promise<ContentNode[]>;
  onClose(): void;
}

/** Adds something as a comment to an open issue, or to a new issue of the device or site. */
export default function AddToIssueDialog({ name, deviceId, siteId, prepare, onClose }: AddToIssueProps) {
  const { t } = useTranslation('issue-files');
  const { t: files } = useTranslation('files');
  const id = useId();
  const creates = useReportsIssues() && (deviceId !== undefined || siteId !== undefined);
  const [where, setWhere] = useState<'open' | 'new'>('open');
  const [chosen, setChosen] = useState<number>();
  const [title, setTitle] = useState('');
  const [note, setNote] = useState('');
  const [internal, setInternal] = useState(true);
  const [fault, setFault] = useState<string | null>(null);
  /** the new issue, so that a second attempt does not create another one */
  const created = useRef<{ id: number; key: string } | null>(null);
  /** what was prepared for an issue, so that a second attempt does not upload it again */
  const prepared = useRef<{ issueId: number; nodes: ContentNode[] } | null>(null);
  const left = useRef(new AbortController());
  useEffect(() => {
    left.current = new AbortController();
    return () => left.current.abort();
  }, []);
  const issues = useOpenIssues({ deviceId, siteId });

  async function target(): Promise<{ id: number; key: string }> {
    if (where === 'open') return issues.items.find((one) => one.id === chosen) ?? { id: chosen ?? 0, key: '' };
    const body = { title: title.trim(), type: ISSUE_TYPES.charging };
    created.current ??=
      deviceId === undefined
        ? await call('createSiteIssue', { params: { id: siteId ?? 0 }, body }, { quiet: true })
        : await call('createDeviceIssue', { params: { id: deviceId }, body }, { quiet: true });
    return created.current;
  }

  async function add(): Promise<void> {
    setFault(null);
    const issue = await target();
    try {
      if (prepared.current?.issueId !== issue.id) {
        prepared.current = { issueId: issue.id, nodes: await prepare(issue.id, left.current.signal) };
      }
    } catch (error) {
      if (error instanceof UploadProblem) setFault(uploadFault(error));
      throw error;
    }
    const body = commentOf(note, prepared.current.nodes);
    await call('commentIssue', { params: { id: issue.id }, body: { body, internal } }, { quiet: true });
    void refresh('listIssues', 'readIssue', 'listIssueEntries', 'listAttachments');
    toast.success(t('added', { issue: issue.key }));
  }

  function uploadFault({ fault: word }: UploadProblem): string {
    const { endings, limit } = FILE_RULES.attachment;
    return files(`fault.${word}`, { name, types: endings.join(', '), limit: formatSize(limit) });
  }

  return (
    <Confirm
      title={t('title')}
      ok={t('add')}
      width={520}
      ready={where === 'open' ? chosen !== undefined : title.trim() !== ''}
      entered={{ where, chosen, title, note, internal }}
      cancellable
      run={add}
      onDone={onClose}
      onClose={onClose}
    >
      <p className="dialog-name">{name}</p>
      {creates && (
        <Segmented<'open' | 'new'>
          block
          aria-label={t('where')}
          value={where}
          options={[
            { value: 'open', label: t('open') },
            { value: 'new', label: t('new') },
          ]}
          onChange={setWhere}
        />
      )}
      {where === 'open' ? (
        <>
          <label htmlFor={`${id}-issue`}>{t('issue')}</label>
          <Select<number>
            id={`${id}-issue`}
            showSearch={{ filterOption: false, searchValue: issues.typed.text, onSearch: issues.typed.type }}
            value={chosen ?? null}
            placeholder={t('search')}
            loading={issues.loading}
            options={issues.items.map((one) => ({ value: one.id, label: `${one.key} ${one.title}` }))}
            onChange={setChosen}
            notFoundContent={issues.failed ? t('failed') : t('nothing')}
          />
        </>
      ) : (
        <>
          <label htmlFor={`${id}-title`}>{t('newTitle')}</label>
          <Input
            id={`${id}-title`}
            maxLength={200}
            value={title}
            onChange={({ target: { value } }) => setTitle(value)}
          />
        </>
      )}
      <label htmlFor={`${id}-note`}>{t('note')}</label>
      <Input.TextArea
        id={`${id}-note`}
        autoSize={{ minRows: 2, maxRows: 6 }}
        maxLength={2_000}
        value={note}
        onChange={({ target: { value } }) => setNote(value)}
      />
      <Checkbox checked={internal} onChange={({ target: { checked } }) => setInternal(checked)}>
        {t('internal')}
      </Checkbox>
      <ErrorNote text={fault} />
    </Confirm>
  );
}

/** The open issues: of the device or site until something is searched, or all when it has none. */
function useOpenIssues(of: Pick<AddToIssueProps, 'deviceId' | 'siteId'>) {
  const placed = of.deviceId !== undefined || of.siteId !== undefined;
  const [wanted, setWanted] = useState('');
  const typed = useTyped(wanted, setWanted);
  const query = { page: 1, pageSize: 20, tab: 'open', sort: '-createdAt' } as const;
  const there = useQuery({
    ...queryOf('listIssues', { query: { ...query, ...of } }, { quiet: true }),
    enabled: placed && wanted === '',
  });
  const own = wanted === '' ? (there.data?.items ?? []) : [];
  const all = useQuery({
    ...queryOf('listIssues', { query: { ...query, search: wanted || undefined } }, { quiet: true }),
    enabled: wanted !== '' || !placed || there.data?.items.length === 0,
    placeholderData: keepPreviousData,
  });
  return {
    typed,
    items: own.length > 0 ? own : (all.data?.items ?? []),
    loading: all.isFetching || there.isFetching,
    failed: all.isError || there.isError,
  };
}

/** A comment with a note above the parts. */
function commentOf(note: string, nodes: readonly ContentNode[]): DocumentContent {
  const lines = note.trim() === '' ? [] : note.trim().split('\n');
  const paragraphs = lines.map((text) => ({
    type: 'paragraph',
    ...(text !== '' && { content: [{ type: 'text', text }] }),
  }));
  return { type: 'doc', content: [...paragraphs, ...nodes] };
}
