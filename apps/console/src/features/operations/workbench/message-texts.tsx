import type { ExecutionRow } from '@chargehand/contract';
import { type ContentNode, formatTime } from '@chargehand/domain';
import { useQuery } from '@tanstack/react-query';
import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { queryOf } from '../../../shared/api/query.ts';
import { AddToIssue } from '../../../shared/ui/issues/add/add-to-issue.tsx';
import { fileNameOf, fitsInComment, uploadedFileNode } from '../../../shared/ui/issues/add/issue-nodes.ts';
import { useAddsToIssues } from '../../../shared/ui/issues/add/use-adds-to-issues.ts';
import css from './workbench.module.css';

/** A message and its response as JSON. */
export function MessageTexts({ deviceId, execution }: { deviceId: number; execution: ExecutionRow }) {
  const { t } = useTranslation('workbench');
  const { t: common } = useTranslation();
  const toIssue = useAddsToIssues();
  const [added, setAdded] = useState<Part[] | null>(null);
  const { id: executionId, state, params, queuedAt } = execution;
  const detail = useQuery({
    ...queryOf('readExecution', { params: { id: deviceId, executionId } }, { quiet: true }),
    enabled: state === 'ended',
  });
  const answer = detail.data?.answer ?? null;
  const action = String(params.action ?? '');
  const parts: Part[] = [
    { title: t('sent', { action }), text: 'payload' in params ? pretty(params.payload) : t('hidden') },
    ...(answer === null ? [] : [{ title: t('answer'), text: pretty(answer) }]),
  ];
  return (
    <>
      {parts.map(({ title, text }) => (
        <section key={title}>
          <h4>{title}</h4>
          <pre className={css.workbenchText}>{text}</pre>
        </section>
      ))}
      {toIssue && (
        <div>
          <Button size="small" aria-label={common('issue.addOf', { name: action })} onClick={() => setAdded(parts)}>
            {common('issue.add')}
          </Button>
        </div>
      )}
      {added && (
        <AddToIssue
          name={action}
          deviceId={deviceId}
          prepare={(issueId, signal) => messageNodes(action, queuedAt, added, issueId, signal)}
          onClose={() => setAdded(null)}
        />
      )}
    </>
  );
}

interface Part {
  title: string;
  text: string;
}

/** A message and its response as parts of a comment; long ones as a file. */
async function messageNodes(
  action: string,
  queuedAt: string,
  parts: readonly Part[],
  issueId: number,
  signal: AbortSignal,
): Promise<ContentNode[]> {
  const at = formatTime(queuedAt);
  const nodes = parts.flatMap(({ title, text }): ContentNode[] => [
    { type: 'paragraph', content: [{ type: 'text', text: `${title} · ${at}` }] },
    { type: 'codeBlock', attrs: { language: 'json' }, content: [{ type: 'text', text }] },
  ]);
  if (fitsInComment(nodes)) return nodes;
  const text = parts.map((part) => `${part.title}\n${part.text}\n`).join('\n');
  return [await uploadedFileNode(issueId, new File([text], `${fileNameOf(action, at)}.txt`), signal)];
}

function pretty(value: unknown): string {
  return JSON.stringify(value, null, 2);
}
