import { SettingOutlined } from '@ant-design/icons';
import type { ListName } from '@chargehand/contract';
import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Arrangeable } from '../../lib/lists/list-view.ts';
import { lazyDialog } from '../dialogs/lazy/lazy-dialog.tsx';

const ColumnsDialog = lazyDialog(() => import('./columns-dialog.tsx'));

/** Opens the column settings of a list; shown in the header of its last column. */
export function ColumnsButton({ list, columns }: { list: ListName; columns: readonly Arrangeable[] }) {
  const { t } = useTranslation();
  const [opened, setOpened] = useState(false);
  return (
    <>
      <Button
        type="text"
        size="small"
        className="columns-button"
        icon={<SettingOutlined aria-hidden="true" />}
        aria-label={t('list.columns')}
        title={t('list.columns')}
        onClick={() => setOpened(true)}
      />
      {opened && <ColumnsDialog list={list} columns={columns} onClose={() => setOpened(false)} />}
    </>
  );
}
