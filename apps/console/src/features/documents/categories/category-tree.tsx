import { HolderOutlined } from '@ant-design/icons';
import type { CategoryRow } from '@chargehand/contract';
import { CATEGORY_DEPTH } from '@chargehand/domain';
import { type DragEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { MoreMenu } from '../../../shared/ui/dialogs/more-menu.tsx';
import { useCategoryName } from '../shared/names.ts';
import css from './categories.module.css';
import {
  type Branch,
  branchesOf,
  documentsIn,
  type Place,
  placeAfter,
  placeOfDrop,
  stepOf,
  type Zone,
} from './tree.ts';

interface Props {
  all: readonly CategoryRow[];
  /** Moves a category; without it the tree is fixed. */
  onMove: ((id: number, place: Place) => void) | undefined;
  onAdd(parent: CategoryRow): void;
  onRename(category: CategoryRow): void;
  onDelete(category: CategoryRow): void;
}

/** Where the dragged category would be dropped. */
interface Target {
  id: number;
  zone: Zone;
  place: Place;
}

/**
 * The categories with their levels as indentation. A category is moved by dragging its handle before, after or into
 * another one, with the arrow keys while the handle has the focus, or with its menu.
 */
export function CategoryTree({ all, onMove, onAdd, onRename, onDelete }: Props) {
  const { t } = useTranslation('documents');
  const nameOf = useCategoryName();
  const list = useRef<HTMLUListElement>(null);
  const [dragged, setDragged] = useState<number | null>(null);
  const [target, setTarget] = useState<Target | null>(null);
  const [announcement, setAnnouncement] = useState('');
  /** the category whose handle gets the focus again after it was moved */
  const [focused, setFocused] = useState<{ id: number } | null>(null);
  useEffect(() => {
    if (focused) list.current?.querySelector<HTMLElement>(`[data-handle="${focused.id}"]`)?.focus();
  }, [focused]);

  function move(category: CategoryRow, place: Place) {
    onMove?.(category.id, place);
    const parent = all.find(({ id }) => id === place.parentId);
    setAnnouncement(
      parent
        ? t('category.movedInto', { name: nameOf(category), parent: nameOf(parent), place: place.index + 1 })
        : t('category.movedToTop', { name: nameOf(category), place: place.index + 1 }),
    );
  }

  function press(event: KeyboardEvent, category: CategoryRow) {
    const step = stepOf(event.key);
    if (!step) return;
    event.preventDefault();
    const place = placeAfter(all, category.id, step);
    if (!place) return setAnnouncement(t('category.stays', { name: nameOf(category) }));
    move(category, place);
    setFocused({ id: category.id });
  }

  function over(event: DragEvent, category: CategoryRow) {
    if (dragged === null) return;
    const zone = zoneAt(event);
    const place = placeOfDrop(all, dragged, category, zone);
    setTarget(place && { id: category.id, zone, place });
    if (place) event.preventDefault();
  }

  function drop(event: DragEvent) {
    event.preventDefault();
    const category = all.find(({ id }) => id === dragged);
    if (category && target) move(category, target.place);
    end();
  }

  function end() {
    setDragged(null);
    setTarget(null);
  }

  const menuOf = ({ category, depth }: Branch) => {
    const step = (key: Parameters<typeof placeAfter>[2], label: string) => {
      const place = placeAfter(all, category.id, key);
      return place ? [{ key, label, onClick: () => move(category, place) }] : [];
    };
    const used = category.documents > 0 || all.some(({ parentId }) => parentId === category.id);
    return [
      ...(depth + 1 < CATEGORY_DEPTH
        ? [{ key: 'add', label: t('category.addBelow'), onClick: () => onAdd(category) }]
        : []),
      { key: 'rename', label: t('category.rename'), onClick: () => onRename(category) },
      ...step('ArrowUp', t('category.up')),
      ...step('ArrowDown', t('category.down')),
      ...step('ArrowLeft', t('category.out')),
      ...step('ArrowRight', t('category.in')),
      {
        key: 'delete',
        label: t('category.delete'),
        danger: true,
        disabled: used,
        title: used ? t('category.used') : '',
        onClick: () => onDelete(category),
      },
    ];
  };

  return (
    <>
      <ul className={css.tree} aria-label={t('categories')} ref={list}>
        {branchesOf(all).map((branch) => {
          const { category, depth, index, siblings } = branch;
          const name = nameOf(category);
          return (
            <li
              key={category.id}
              style={{ paddingInlineStart: depth * 24 }}
              data-dragged={dragged === category.id || undefined}
              data-zone={target?.id === category.id ? target.zone : undefined}
              onDragOver={(event) => over(event, category)}
              onDrop={drop}
            >
              {onMove && (
                <button
                  type="button"
                  className={css.handle}
                  draggable
                  data-handle={category.id}
                  title={t('category.hint')}
                  aria-label={t('category.move', { name, level: depth + 1, place: index + 1, count: siblings })}
                  onDragStart={(event) => {
                    event.dataTransfer.effectAllowed = 'move';
                    setDragged(category.id);
                  }}
                  onDragEnd={end}
                  onKeyDown={(event) => press(event, category)}
                >
                  <HolderOutlined aria-hidden="true" />
                </button>
              )}
              <span className={css.names}>
                <strong>{name}</strong>
                <span className="quiet">{name === category.nameEn ? category.nameZh : category.nameEn}</span>
              </span>
              <Link to={`/manage/docs/home?categoryId=${category.id}`} className={css.count}>
                {t('category.count', { count: documentsIn(all, category) })}
              </Link>
              {onMove && <MoreMenu size="small" label={t('more', { name })} items={menuOf(branch)} />}
            </li>
          );
        })}
      </ul>
      <p className="visually-hidden" aria-live="polite">
        {announcement}
      </p>
    </>
  );
}

/** The part of a row below the pointer: its upper or lower quarter, or the middle. */
function zoneAt({ clientY, currentTarget }: DragEvent): Zone {
  const { top, height } = currentTarget.getBoundingClientRect();
  const part = (clientY - top) / height;
  if (part < 0.25) return 'before';
  return part > 0.75 ? 'after' : 'into';
}
