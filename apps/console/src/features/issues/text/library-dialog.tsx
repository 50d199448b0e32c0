import type { AttachmentRow } from '@chargehand/contract';
import { type ContentNode, EDITOR_FILES, formatSize } from '@chargehand/domain';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Select } from 'antd';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { queryOf } from '../../../shared/api/query.ts';
import { useTyped } from '../../../shared/hooks/use-typed.ts';
import { Confirm } from '../../../shared/ui/dialogs/confirm.tsx';
import { storedFileNode } from '../../../shared/ui/issues/add/issue-nodes.ts';

/** Chooses files of the attachment library for a text, newest first. */
export function LibraryDialog(props: { onInsert(nodes: ContentNode[]): void; onClose(): void }) {
  const { t } = useTranslation('issue-files');
  const id = useId();
  const [chosen, setChosen] = useState<ReadonlyMap<number, AttachmentRow>>(new Map());
  const [wanted, setWanted] = useState('');
  const typed = useTyped(wanted, setWanted);
  const query = { page: 1, pageSize: 20, sort: '-createdAt', below: true, search: wanted || undefined } as const;
  const found = useQuery({
    ...queryOf('listAttachments', { query }, { quiet: true }),
    placeholderData: keepPreviousData,
  });
  const usable = (found.data?.items ?? []).filter(
    ({ may, scan, managedBy }) => may.download && scan !== 'infected' && managedBy !== 'firmware',
  );
  const known = new Map([...usable.map((file) => [file.id, file] as const), ...chosen]);
  return (
    <Confirm
      title={t('library.title')}
      ok={t('library.insert')}
      width={520}
      ready={chosen.size > 0}
      run={async () => props.onInsert([...chosen.values()].map(storedFileNode))}
      onDone={props.onClose}
      onClose={props.onClose}
    >
      <label htmlFor={id}>{t('library.files')}</label>
      <Select<number[]>
        id={id}
        mode="multiple"
        maxCount={EDITOR_FILES}
        showSearch={{ filterOption: false, searchValue: typed.text, onSearch: typed.type }}
        value={[...chosen.keys()]}
        placeholder={t('library.search')}
        loading={found.isFetching}
        options={[...known.values()].map(({ id: value, name, size }) => ({
          value,
          label: `${name} · ${formatSize(size)}`,
        }))}
        onChange={(ids) =>
          setChosen(new Map(ids.flatMap((one) => (known.has(one) ? [[one, known.get(one)!] as const] : []))))
        }
        notFoundContent={found.isError ? t('library.failed') : t('library.nothing')}
      />
      <p className="quiet">{t('library.hint')}</p>
    </Confirm>
  );
}
