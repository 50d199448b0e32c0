import type { SystemParameterRow } from '@chargehand/contract';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../shared/api/client.ts';
import { refresh } from '../../../shared/api/query.ts';
import { Confirm } from '../../../shared/ui/dialogs/confirm.tsx';
import { toast } from '../../../shared/ui/dialogs/toast.ts';
import { useParameterTexts } from './parameter-texts.ts';

interface Props {
  row: SystemParameterRow;
  /** what the user has entered */
  entered: unknown;
  /** what to save; null: the default */
  value: string | number | null;
  /** false: it cannot be saved */
  ready: boolean;
  /** saving it also deletes entries */
  deletes?: boolean;
  onClose(): void;
  children: ReactNode;
}

/** Changes a parameter, which its help explains. */
export function ParameterConfirm({ row, entered, value, ready, deletes = false, onClose, children }: Props) {
  const { t } = useTranslation('system-parameters');
  const texts = useParameterTexts();
  // What the dialog opened with: a change of somebody else must not be overwritten unseen.
  const [revision] = useState(row.revision);
  const { key } = row;
  const name = texts.label(key);
  return (
    <Confirm
      title={name}
      ok={deletes ? t('changeAndDelete') : t('save')}
      danger={deletes}
      ready={ready}
      entered={entered}
      run={async () => {
        await call('setSystemParameter', { params: { key }, body: { value, revision } });
        await refresh('listSystemParameters', 'listSystemParameterChanges');
      }}
      onDone={() => {
        toast.success(t('saved', { name }));
        onClose();
      }}
      onClose={onClose}
    >
      <p>{texts.help(key)}</p>
      {children}
    </Confirm>
  );
}
