import { FolderOutlined } from '@ant-design/icons';
import type { FolderRow } from '@chargehand/contract';
import { Tree, type TreeDataNode } from 'antd';
import { type DragEvent, type ReactNode, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import css from './attachments.module.css';
import { pathOf } from './use-folders.ts';

/** The type of a drag inside the page: the moved files and folders as JSON. */
const DRAGGED = 'application/x-chargehand-files';

/** What is dragged inside the page. */
export interface Dragged {
  files: { id: number; name: string }[];
  folders: { id: number; name: string }[];
}

/** The key of the tree's root. */
const TOP = 'top';

interface Props {
  folders: readonly FolderRow[];
  /** null: the top level */
  chosen: number | null;
  label: string;
  /** the name of the top level */
  top: string;
  onChoose(id: number | null): void;
  /** folders that cannot be chosen */
  disabled?: (folder: FolderRow | null) => boolean;
  /** Called when files or folders of the page are dropped on a folder; omitted: nothing can be dragged. */
  onMove?: ((dragged: Dragged, to: FolderRow | null) => void) | undefined;
  /** Called when files of the computer are dropped on a folder. */
  onUpload?: ((transfer: DataTransfer, to: FolderRow | null) => void) | undefined;
  /** whether something can be dropped on a folder */
  accepts?: (folder: FolderRow | null) => boolean;
  /** the number of files is shown */
  counts?: boolean;
}

/** The folders as a tree. */
export function FolderTree(props: Props) {
  const { folders, chosen, top, onChoose, disabled = () => false, counts = false } = props;
  const { t } = useTranslation('attachments');
  const [open, setOpen] = useState<readonly string[]>([TOP]);
  const children = Map.groupBy(folders, ({ parentId }) => parentId);
  const known = new Set(folders.map(({ id }) => id));
  const customers = new Set((children.get(null) ?? []).map(({ customerId }) => customerId));

  // A folder that was chosen elsewhere is visible in the tree.
  const path = pathOf(folders, chosen)
    .slice(0, -1)
    .map(({ id }) => String(id))
    .join();
  useEffect(() => {
    if (path !== '') setOpen((before) => [...new Set([...before, ...path.split(',')])]);
  }, [path]);

  // What is in a folder of a site has that site: it is said once.
  const siteAbove = ({ parentId }: FolderRow) => folders.find(({ id }) => id === parentId)?.site;
  const nodeOf = (folder: FolderRow): TreeDataNode => ({
    key: String(folder.id),
    disabled: disabled(folder),
    title: (
      <Target {...props} folder={folder}>
        <FolderOutlined aria-hidden="true" /> <span>{folder.name}</span>
        {folder.parentId === null && customers.size > 1 && (
          <span className="quiet"> {folder.customer ?? t('platform')}</span>
        )}
        {folder.site && !siteAbove(folder) && <span className="quiet"> {folder.site}</span>}
        {counts && folder.files > 0 && <span className={css.count}>{folder.files.toLocaleString('en-US')}</span>}
      </Target>
    ),
    children: (children.get(folder.id) ?? []).map(nodeOf),
  });
  // A folder whose parent the user may not see is shown at the top.
  const tops = folders.filter(({ parentId }) => parentId === null || !known.has(parentId));

  return (
    <Tree
      aria-label={props.label}
      className={css.tree}
      blockNode
      expandedKeys={[...open]}
      selectedKeys={[chosen === null ? TOP : String(chosen)]}
      treeData={[
        {
          key: TOP,
          disabled: disabled(null),
          title: (
            <Target {...props} folder={null}>
              {top}
            </Target>
          ),
          children: tops.map(nodeOf),
        },
      ]}
      onExpand={(keys) => setOpen(keys.map(String))}
      onSelect={(_, { node }) => onChoose(node.key === TOP ? null : Number(node.key))}
    />
  );
}

/** The name of a folder in the tree: it can be dragged, and files and folders can be dropped on it. */
function Target(props: Props & { folder: FolderRow | null; children: ReactNode }) {
  const { folder, onMove, onUpload, accepts = () => false } = props;
  const [over, setOver] = useState(false);
  const wanted = ({ dataTransfer: { types } }: DragEvent) =>
    accepts(folder) && ((onMove && types.includes(DRAGGED)) || (onUpload && types.includes('Files')));
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the menus of files and folders do the same with the keyboard
    <span
      className={css.target}
      data-over={over || undefined}
      draggable={onMove !== undefined && folder?.may.write === true}
      onDragStart={(event) => {
        if (folder) startDrag(event, { files: [], folders: [{ id: folder.id, name: folder.name }] });
      }}
      onDragOver={(event) => {
        if (!wanted(event)) return;
        event.preventDefault();
        event.stopPropagation();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        setOver(false);
        if (!wanted(event)) return;
        event.preventDefault();
        event.stopPropagation();
        const dragged = event.dataTransfer.getData(DRAGGED);
        if (dragged !== '') onMove?.(JSON.parse(dragged) as Dragged, folder);
        else onUpload?.(event.dataTransfer, folder);
      }}
    >
      {props.children}
    </span>
  );
}

/** Starts dragging files or folders of the page. */
export function startDrag(event: DragEvent, dragged: Dragged): void {
  event.stopPropagation();
  event.dataTransfer.effectAllowed = 'move';
  event.dataTransfer.setData(DRAGGED, JSON.stringify(dragged));
}
