import type { FolderRow } from '@chargehand/contract';
import { foldersBelow, LEVEL_VERBS, levelsWithin } from '@chargehand/domain';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiProblem } from '../../../shared/api/problem.ts';
import { Dialog } from '../../../shared/ui/dialogs/dialog.tsx';
import css from '../attachments.module.css';
import { FolderTree } from '../folder-tree.tsx';
import { levelsOf, useFolders } from '../use-folders.ts';
import type { LevelValues } from './level-fields.tsx';

interface Props {
  title: string;
  ok: string;
  /** what happens, above the folders */
  note?: string;
  /** more about what is moved, below the note */
  children?: ReactNode;
  /** the customer of what is moved; undefined: of several or unknown */
  customerId: number | null | undefined;
  /** where it is now: it cannot be moved there; undefined: any place is possible */
  from?: number | null;
  /** the moved folder, which cannot be moved into itself */
  folderId?: number;
  /** the levels of a single file, to announce that they rise */
  levels?: LevelValues;
  /** @throws ApiProblem, which the dialog shows */
  run(to: FolderRow | null): Promise<unknown>;
  onDone(): void;
  onClose(): void;
}

/** Selects the folder to which something is moved or copied. */
export function MoveDialog(props: Props) {
  const { customerId, from, folderId, levels, onClose } = props;
  const { t } = useTranslation('attachments');
  const { t: common } = useTranslation();
  const { folders } = useFolders();
  const [chosen, setChosen] = useState<number | null | undefined>(undefined);
  const to = folders.find(({ id }) => id === chosen) ?? null;
  const moving = useMutation({ mutationFn: () => props.run(to), onSuccess: props.onDone });
  const inside = new Set(folderId === undefined ? [] : foldersBelow(folders, folderId).map(({ id }) => id));
  const shown = folders.filter((folder) => customerId === undefined || folder.customerId === customerId);

  const own = levels && levelsOf(levels);
  const within = levelsOf(to ?? undefined);
  const after = own && within && levelsWithin(own, within);
  const raised = after && LEVEL_VERBS.filter((verb) => after[verb] !== own[verb]);

  return (
    <Dialog
      title={props.title}
      okText={props.ok}
      cancelText={common('cancel')}
      okButtonProps={{ disabled: chosen === undefined }}
      pending={moving.isPending}
      onOk={() => moving.mutate()}
      onCancel={onClose}
    >
      <div className="dialog-text">
        {props.note && <p className="quiet">{props.note}</p>}
        {props.children}
        <div className={css.picker}>
          <FolderTree
            folders={shown}
            chosen={chosen === undefined ? -1 : chosen}
            label={t('move.folders')}
            top={t('top')}
            onChoose={setChosen}
            disabled={(folder) =>
              folder ? !folder.may.write || folder.id === from || inside.has(folder.id) : from === null
            }
          />
        </div>
        {raised && raised.length > 0 && (
          <p className="warning-note" role="status">
            {t('move.raised', {
              levels: raised.map((verb) => `${t(`levels.${verb}`)} ${own[verb]} → ${after[verb]}`).join(', '),
            })}
          </p>
        )}
        {to?.site && (
          <p className="warning-note" role="status">
            {t('site.becomes', { site: to.site })}
          </p>
        )}
        {moving.error instanceof ApiProblem && (
          <p className="error-note" role="alert">
            {moving.error.message}
          </p>
        )}
      </div>
    </Dialog>
  );
}
