import { Button } from 'antd';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Answer, call, type DownloadOptions, download, type InputOf } from '../../../shared/api/client.ts';
import { Dialog } from '../../../shared/ui/dialogs/dialog.tsx';
import { Places } from './import-result.tsx';

type Query = InputOf<'exportDocuments'>['query'];
type Check = Answer<'checkDocumentExport'>;

/** Exports documents, and says which files the archive does not contain. */
export function useExport(): { run(query: Query, options?: DownloadOptions): Promise<void>; dialog: ReactNode } {
  const [check, setCheck] = useState<Check | null>(null);
  return {
    async run(query, options = {}) {
      const { signal } = options;
      const found = await call('checkDocumentExport', { query }, { quiet: true, ...(signal && { signal }) });
      // At once: the download of a large archive takes a while.
      if (found.leftOutFiles > 0) setCheck(found);
      await download('exportDocuments', { query }, options);
    },
    dialog: check && <LeftOut check={check} onClose={() => setCheck(null)} />,
  };
}

function LeftOut({ check, onClose }: { check: Check; onClose(): void }) {
  const { t } = useTranslation('documents');
  const { t: common } = useTranslation();
  const { leftOut, leftOutFiles } = check;
  return (
    <Dialog
      title={t('export.title')}
      width={600}
      onCancel={onClose}
      footer={<Button onClick={onClose}>{common('close')}</Button>}
    >
      <div className="dialog-text">
        <p>{t('export.text')}</p>
        <Places
          title={t('export.leftOut', { count: leftOutFiles })}
          of={leftOut.map(({ title, locale, name, message }) => [
            `${title} (${t(`language.${locale}`)}) · ${name}`,
            message,
          ])}
        />
      </div>
    </Dialog>
  );
}
