import type { ReactNode } from 'react';
import type { Answer, EndpointName, InputOf } from '../../api/client.ts';
import { useEditedRow } from '../../hooks/use-edited-row.ts';
import { useTabLabel } from '../../hooks/use-tab-label.ts';
import { Page } from '../page/page-header.tsx';
import { ErrorState } from '../states/error-state.tsx';
import { SkeletonRows } from '../states/skeleton-rows.tsx';

/** The page that edits one row. It is fetched again, its name is shown next to the title, and the form receives it. */
export function EditPage<K extends EndpointName>(props: {
  title: string;
  /** the call that reads it */
  read: K;
  input: InputOf<K>;
  nameOf(row: Answer<K>): string;
  children(row: Answer<K>): ReactNode;
}) {
  const { data, error, refetch } = useEditedRow(props.read, props.input);
  const row = data as Answer<K> | undefined;
  const name = row && props.nameOf(row);
  useTabLabel(name);
  return (
    <Page title={props.title} note={name}>
      {row ? (
        props.children(row)
      ) : error ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <SkeletonRows rows={8} />
      )}
    </Page>
  );
}
