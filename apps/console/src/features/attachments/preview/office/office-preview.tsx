import type { AttachmentDetail } from '@chargehand/contract';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { ErrorState } from '../../../../shared/ui/states/error-state.tsx';
import { SkeletonRows } from '../../../../shared/ui/states/skeleton-rows.tsx';
import { readWhole } from '../content.ts';
import { readInWorker } from './read-in-worker.ts';
import { SheetTables } from './sheet-tables.tsx';
import type { ShownWorkbook } from './sheets.ts';
import SheetsWorker from './sheets.worker.ts?worker';
import { OfficeProblem } from './unpack.ts';
import WordWorker from './word.worker.ts?worker';
import { WordPage } from './word-page.tsx';

/** The content of a .docx or .xlsx file, read in a worker of the browser. */
export default function OfficePreview({ file, kind }: { file: AttachmentDetail; kind: 'word' | 'sheets' }) {
  const { t } = useTranslation('attachments');
  const { id, etag, name } = file;
  const read = useQuery({
    queryKey: ['attachmentOffice', id, etag],
    async queryFn({ signal }): Promise<{ html: string } | { book: ShownWorkbook }> {
      const content = await readWhole(id, signal);
      if (kind === 'word') return { html: await readInWorker<string>(WordWorker, content, signal) };
      return { book: await readInWorker<ShownWorkbook>(SheetsWorker, content, signal) };
    },
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    // It can take much memory, and is read again quickly.
    gcTime: 0,
  });
  if (read.error instanceof OfficeProblem) {
    return <p className="warning-note">{t(`preview.office.${read.error.fault}`)}</p>;
  }
  if (read.isError) return <ErrorState error={read.error} onRetry={() => void read.refetch()} />;
  if (!read.data) return <SkeletonRows rows={8} />;
  return 'html' in read.data ? <WordPage name={name} html={read.data.html} /> : <SheetTables book={read.data.book} />;
}
