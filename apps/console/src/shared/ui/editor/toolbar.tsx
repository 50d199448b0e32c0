import {
  BoldOutlined,
  CodeOutlined,
  ItalicOutlined,
  LinkOutlined,
  OrderedListOutlined,
  RedoOutlined,
  StrikethroughOutlined,
  UnderlineOutlined,
  UndoOutlined,
  UnorderedListOutlined,
} from '@ant-design/icons';
import type { Editor } from '@tiptap/core';
import { useEditorState } from '@tiptap/react';
import { Button, Dropdown } from 'antd';
import { type KeyboardEvent, type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { applyBlock, BLOCK_NAMES, type BlockName } from './blocks.ts';
import { LinkDialog } from './link-dialog.tsx';
import { PictureDialog } from './picture-dialog.tsx';
import '../table/scroll-fade.css';
import css from './toolbar.module.css';

const STYLES = ['text', 'heading1', 'heading2', 'heading3', 'heading4'] as const;
const INSERTED = BLOCK_NAMES.filter(
  (name) => !(STYLES as readonly BlockName[]).includes(name) && !name.endsWith('List'),
);

/** The commands of a table, in the order of the menu. */
const TABLE = {
  addRowBefore: (editor: Editor) => editor.chain().focus().addRowBefore().run(),
  addRowAfter: (editor: Editor) => editor.chain().focus().addRowAfter().run(),
  addColumnBefore: (editor: Editor) => editor.chain().focus().addColumnBefore().run(),
  addColumnAfter: (editor: Editor) => editor.chain().focus().addColumnAfter().run(),
  toggleHeaderRow: (editor: Editor) => editor.chain().focus().toggleHeaderRow().run(),
  mergeOrSplit: (editor: Editor) => editor.chain().focus().mergeOrSplit().run(),
  deleteRow: (editor: Editor) => editor.chain().focus().deleteRow().run(),
  deleteColumn: (editor: Editor) => editor.chain().focus().deleteColumn().run(),
  deleteTable: (editor: Editor) => editor.chain().focus().deleteTable().run(),
} as const;
type TableCommand = keyof typeof TABLE;

interface Props {
  editor: Editor;
  /** more buttons at the end, such as for files */
  children?: ReactNode;
}

/** The toolbar of the editor. Arrow keys move within it, Escape returns to the text. */
export function Toolbar({ editor, children }: Props) {
  const { t } = useTranslation('editor');
  const [dialog, setDialog] = useState<'link' | 'picture' | null>(null);
  const now = useEditorState({ editor, selector: stateOf });
  const toggle = (name: string, icon: ReactNode, active: boolean, run: () => void, disabled = false) => (
    <Button
      type="text"
      size="small"
      icon={icon}
      aria-label={t(`tool.${name as 'bold'}`)}
      title={t(`tool.${name as 'bold'}`)}
      aria-pressed={active}
      className={active ? css.active : undefined}
      disabled={disabled}
      onMouseDown={keepFocus}
      onClick={run}
    />
  );
  const chain = () => editor.chain().focus();
  return (
    <div
      className={`${css.toolbar} scroll-fade`}
      role="toolbar"
      aria-label={t('tool.label')}
      onKeyDown={(event) => move(event, editor)}
    >
      {toggle('undo', <UndoOutlined />, false, () => chain().undo().run(), !now.undo)}
      {toggle('redo', <RedoOutlined />, false, () => chain().redo().run(), !now.redo)}
      <Dropdown
        trigger={['click']}
        menu={{
          items: STYLES.map((name) => ({ key: name, label: t(`block.${name}`) })),
          selectedKeys: [now.style],
          onClick: ({ key }) => applyBlock(chain(), key as BlockName).run(),
        }}
      >
        <Button type="text" size="small" className={css.style} onMouseDown={keepFocus}>
          {t(`block.${now.style}`)}
        </Button>
      </Dropdown>
      {toggle('bold', <BoldOutlined />, now.bold, () => chain().toggleBold().run())}
      {toggle('italic', <ItalicOutlined />, now.italic, () => chain().toggleItalic().run())}
      {toggle('underline', <UnderlineOutlined />, now.underline, () => chain().toggleUnderline().run())}
      {toggle('strike', <StrikethroughOutlined />, now.strike, () => chain().toggleStrike().run())}
      {toggle('code', <CodeOutlined />, now.code, () => chain().toggleCode().run())}
      {toggle('link', <LinkOutlined />, now.link, () => setDialog('link'))}
      {toggle('bulletList', <UnorderedListOutlined />, now.bulletList, () => chain().toggleBulletList().run())}
      {toggle('orderedList', <OrderedListOutlined />, now.orderedList, () => chain().toggleOrderedList().run())}
      {toggle('taskList', <StepsIcon />, now.taskList, () => chain().toggleTaskList().run())}
      <Dropdown
        trigger={['click']}
        menu={{
          items: INSERTED.map((name) => ({ key: name, label: t(`block.${name}`) })),
          onClick: ({ key }) => applyBlock(chain(), key as BlockName).run(),
        }}
      >
        <Button type="text" size="small" onMouseDown={keepFocus}>
          {t('tool.insert')}
        </Button>
      </Dropdown>
      {now.table && (
        <Dropdown
          trigger={['click']}
          menu={{
            items: (Object.keys(TABLE) as TableCommand[]).map((name) => ({ key: name, label: t(`tableTool.${name}`) })),
            onClick: ({ key }) => TABLE[key as TableCommand](editor),
          }}
        >
          <Button type="text" size="small" className={css.active} onMouseDown={keepFocus}>
            {t('block.table')}
          </Button>
        </Dropdown>
      )}
      {now.picture !== null && (
        <Dropdown
          trigger={['click']}
          menu={{
            items: [
              {
                key: 'alt',
                label: t(now.picture ? 'picture.editAlt' : 'picture.addAlt'),
                onClick: () => setDialog('picture'),
              },
              { key: 'delete', label: t('picture.delete'), onClick: () => chain().deleteSelection().run() },
            ],
          }}
        >
          <Button type="text" size="small" className={css.active} onMouseDown={keepFocus}>
            {t('picture.menu')}
          </Button>
        </Dropdown>
      )}
      {children}
      {dialog === 'link' && <LinkDialog editor={editor} onClose={() => setDialog(null)} />}
      {dialog === 'picture' && <PictureDialog editor={editor} onClose={() => setDialog(null)} />}
    </div>
  );
}

/** What the buttons show. */
function stateOf({ editor }: { editor: Editor }) {
  const heading = ([1, 2, 3, 4] as const).find((level) => editor.isActive('heading', { level }));
  return {
    undo: editor.can().undo(),
    redo: editor.can().redo(),
    style: heading === undefined ? ('text' as const) : (`heading${heading}` as const),
    bold: editor.isActive('bold'),
    italic: editor.isActive('italic'),
    underline: editor.isActive('underline'),
    strike: editor.isActive('strike'),
    code: editor.isActive('code'),
    link: editor.isActive('link'),
    bulletList: editor.isActive('bulletList'),
    orderedList: editor.isActive('orderedList'),
    taskList: editor.isActive('taskList'),
    table: editor.isActive('table'),
    /** the alternative text of the selected picture; null when no picture is selected */
    picture: editor.isActive('image') ? String(editor.getAttributes('image').alt ?? '') : null,
  };
}

/** A click on the toolbar leaves the selection in the text. */
function keepFocus(event: { preventDefault(): void }): void {
  event.preventDefault();
}

function move(event: KeyboardEvent<HTMLElement>, editor: Editor): void {
  if (event.key === 'Escape') editor.commands.focus();
  const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
  if (step === 0) return;
  const buttons = [...event.currentTarget.querySelectorAll<HTMLButtonElement>('button:not(:disabled)')];
  const next = buttons.indexOf(document.activeElement as HTMLButtonElement) + step;
  buttons[(next + buttons.length) % buttons.length]?.focus();
  event.preventDefault();
}

function StepsIcon() {
  return (
    <svg
      width="14"
      height="14"
      viewBox="0 0 14 14"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.3"
      aria-hidden="true"
    >
      <rect x="1" y="1.5" width="4" height="4" rx="0.8" />
      <path d="m1.6 10.6 1.3 1.3 2.3-2.6M7.5 3.5H13M7.5 10.5H13" />
    </svg>
  );
}
