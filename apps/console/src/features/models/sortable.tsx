import { ArrowDownOutlined, ArrowUpOutlined, HolderOutlined } from '@ant-design/icons';
import { type DragEvent, type ReactNode, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { moved } from '../../shared/lib/lists/list-view.ts';
import css from './models.module.css';

interface Props<T extends { id: number }> {
  label: string;
  items: readonly T[];
  nameOf(item: T): string;
  /** content of a row next to its drag handle */
  children(item: T): ReactNode;
  /** Called with the new order; without it the order is fixed. */
  onOrder?: ((ids: number[]) => void) | undefined;
}

/**
 * A list with a custom order: rows are moved by dragging their handle, or with the arrow keys while the handle has the
 * focus.
 */
export function Sortable<T extends { id: number }>({ label, items, nameOf, children, onOrder }: Props<T>) {
  const { t } = useTranslation('models');
  const [ids, setIds] = useState(() => items.map(({ id }) => id));
  const [dragged, setDragged] = useState<number | null>(null);
  const [announcement, setAnnouncement] = useState('');
  useEffect(() => setIds(items.map(({ id }) => id)), [items]);
  const rows = ids.flatMap((id) => items.find((item) => item.id === id) ?? []);

  function move(item: T, to: number) {
    if (to < 0 || to >= ids.length) return;
    const next = moved(ids, ids.indexOf(item.id), to);
    setIds(next);
    setAnnouncement(t('order.moved', { name: nameOf(item), place: next.indexOf(item.id) + 1, count: next.length }));
    onOrder?.(next);
  }
  const over = (event: DragEvent, id: number) => {
    if (dragged === null) return;
    event.preventDefault();
    if (dragged !== id) setIds(moved(ids, ids.indexOf(dragged), ids.indexOf(id)));
  };
  const drop = () => {
    setDragged(null);
    if (ids.join() !== items.map(({ id }) => id).join()) onOrder?.(ids);
  };

  return (
    <>
      <ul className="sortable" aria-label={label}>
        {rows.map((item, index) => (
          <li
            key={item.id}
            data-dragged={dragged === item.id}
            onDragOver={(event) => over(event, item.id)}
            onDrop={(event) => event.preventDefault()}
          >
            {onOrder && (
              <span className="sortable-handle">
                <button
                  type="button"
                  draggable
                  title={t('order.hint')}
                  aria-label={t('order.move', { name: nameOf(item), place: index + 1, count: rows.length })}
                  onDragStart={(event) => {
                    event.dataTransfer.effectAllowed = 'move';
                    setDragged(item.id);
                  }}
                  onDragEnd={drop}
                  onKeyDown={(event) => {
                    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
                    if (step === undefined) return;
                    event.preventDefault();
                    move(item, index + step);
                  }}
                >
                  <HolderOutlined aria-hidden="true" />
                </button>
                <span className={css.sortableSteps}>
                  <button
                    type="button"
                    disabled={index === 0}
                    aria-label={t('order.up', { name: nameOf(item) })}
                    onClick={() => move(item, index - 1)}
                  >
                    <ArrowUpOutlined aria-hidden="true" />
                  </button>
                  <button
                    type="button"
                    disabled={index === rows.length - 1}
                    aria-label={t('order.down', { name: nameOf(item) })}
                    onClick={() => move(item, index + 1)}
                  >
                    <ArrowDownOutlined aria-hidden="true" />
                  </button>
                </span>
              </span>
            )}
            {children(item)}
          </li>
        ))}
      </ul>
      <p className="visually-hidden" aria-live="polite">
        {announcement}
      </p>
    </>
  );
}
