import { DownOutlined, HolderOutlined, UpOutlined } from '@ant-design/icons';
import type { ListName, ListView } from '@chargehand/contract';
import { DENSITIES } from '@chargehand/contract/constants';
import { Button, Checkbox, Segmented } from 'antd';
import { type ReactNode, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { setListView, useListView } from '../../hooks/lists/use-list-view.ts';
import { type Arrangeable, arranged, moved } from '../../lib/lists/list-view.ts';
import './columns-dialog.css';
import { Dialog } from '../dialogs/dialog.tsx';

interface Line {
  name: string;
  title: string;
  always: boolean;
  shown: boolean;
}

/** The columns of a list and their order, by mouse or keyboard, and the density of its rows. */
export default function ColumnsDialog(props: { list: ListName; columns: readonly Arrangeable[]; onClose(): void }) {
  const { list, columns, onClose } = props;
  const { t } = useTranslation();
  const view = useListView(list);
  const [lines, setLines] = useState(() => linesOf(columns, view));
  const [density, setDensity] = useState(view.density);
  const [dragged, setDragged] = useState<number | null>(null);
  const rows = useRef<HTMLOListElement>(null);

  const keep = (next: ListView | null) => {
    onClose();
    // An error is shown as a toast; the list keeps the new settings until the page is reloaded.
    setListView(list, next).catch((error: unknown) => console.warn('The list settings could not be saved', error));
  };
  const change = (index: number, shown: boolean) =>
    setLines((before) => before.map((line, at) => (at === index ? { ...line, shown } : line)));
  const move = (from: number, to: number) => {
    setLines((before) => moved(before, from, to));
    setDragged((index) => (index === from ? to : index));
  };
  /** Moves a line with its arrow buttons, and keeps the focus on it. */
  const step = (from: number, way: -1 | 1) => {
    move(from, from + way);
    requestAnimationFrame(() => {
      const buttons = rows.current?.children[from + way]?.querySelectorAll<HTMLButtonElement>('button');
      const same = buttons?.[way === -1 ? 0 : 1];
      (same?.disabled ? buttons?.[way === -1 ? 1 : 0] : same)?.focus();
    });
  };

  return (
    <Dialog
      title={t('list.columnsTitle')}
      width={440}
      onCancel={onClose}
      footer={
        <div className="columns-buttons">
          <Button type="text" onClick={() => keep(null)}>
            {t('list.reset')}
          </Button>
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button
            type="primary"
            onClick={() => keep({ density, columns: lines.map(({ name, shown }) => ({ name, shown })) })}
          >
            {t('save')}
          </Button>
        </div>
      }
    >
      <div className="columns-density">
        <span id="list-density">{t('list.density')}</span>
        <Segmented
          aria-labelledby="list-density"
          value={density}
          options={DENSITIES.map((value) => ({ value, label: t(`list.${value}`) }))}
          onChange={setDensity}
        />
      </div>
      <ol className="columns-list" ref={rows}>
        {lines.map((line, index) => (
          <li
            key={line.name}
            draggable
            data-dragged={dragged === index}
            onDragStart={(event) => {
              event.dataTransfer.effectAllowed = 'move';
              event.dataTransfer.setData('text/plain', line.name);
              setDragged(index);
            }}
            onDragEnd={() => setDragged(null)}
            onDragOver={(event) => {
              event.preventDefault();
              if (dragged !== null && dragged !== index) move(dragged, index);
            }}
            onDrop={(event) => event.preventDefault()}
          >
            <HolderOutlined className="columns-handle" aria-hidden="true" />
            <Checkbox
              className="columns-name"
              checked={line.shown}
              disabled={line.always}
              onChange={(event) => change(index, event.target.checked)}
            >
              {line.title}
              {line.always && <span className="quiet"> {t('list.always')}</span>}
            </Checkbox>
            <Mover label={t('list.moveUp', { name: line.title })} disabled={index === 0} onMove={() => step(index, -1)}>
              <UpOutlined aria-hidden="true" />
            </Mover>
            <Mover
              label={t('list.moveDown', { name: line.title })}
              disabled={index === lines.length - 1}
              onMove={() => step(index, 1)}
            >
              <DownOutlined aria-hidden="true" />
            </Mover>
          </li>
        ))}
      </ol>
      <p className="quiet">{t('list.columnsHint')}</p>
    </Dialog>
  );
}

function Mover(props: { label: string; disabled: boolean; onMove(): void; children: ReactNode }) {
  const { label, disabled, onMove, children } = props;
  return (
    <Button type="text" size="small" aria-label={label} disabled={disabled} onClick={onMove}>
      {children}
    </Button>
  );
}

function linesOf(columns: readonly Arrangeable[], view: ListView): Line[] {
  return arranged(columns, view).flatMap(({ column: { name, title, always = false }, shown }) =>
    name === undefined ? [] : [{ name, title: typeof title === 'string' ? title : name, always, shown }],
  );
}
