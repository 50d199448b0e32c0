import type { IssueRow } from '@chargehand/contract';
import type { IssueStatus } from '@chargehand/domain';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Tabs } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Answer, InputOf } from '../../../shared/api/client.ts';
import { queryOf } from '../../../shared/api/query.ts';
import { useMedia } from '../../../shared/hooks/use-media.ts';
import { lazyDialog } from '../../../shared/ui/dialogs/lazy/lazy-dialog.tsx';
import { ErrorState } from '../../../shared/ui/states/error-state.tsx';
import { SkeletonRows } from '../../../shared/ui/states/skeleton-rows.tsx';
import { IssueStatusTag } from '../shared/issue-marks.tsx';
import css from './board.module.css';
import { IssueCard } from './issue-card.tsx';
import { BOARD_COLUMNS, moveInto } from './moves.ts';
import { type Moves, useMoves } from './use-moves.ts';

const CloseDialog = lazyDialog(() => import('../shared/close-dialog.tsx'));

type BoardColumn = Answer<'readIssueBoard'>['columns'][number];

interface Props {
  filters: NonNullable<InputOf<'readIssueBoard'>['query']>;
  /** Shows all issues of a status in the list. */
  onShowAll(status: IssueStatus): void;
}

/** The issues that match the filters in a column for each status; on a phone, one column at a time. */
export function IssueBoard({ filters, onShowAll }: Props) {
  const { t } = useTranslation('issues');
  const narrow = useMedia('(max-width: 760px)');
  const board = useQuery({
    ...queryOf('readIssueBoard', { query: filters }, { quiet: true }),
    placeholderData: keepPreviousData,
  });
  const moves = useMoves(board.data);
  const [dragged, setDragged] = useState<IssueRow | null>(null);
  if (!board.data) {
    return board.isError ? (
      <ErrorState error={board.error} onRetry={() => void board.refetch()} />
    ) : (
      <SkeletonRows rows={8} />
    );
  }
  const columns = BOARD_COLUMNS.flatMap(
    (status) => board.data.columns.find((column) => column.status === status) ?? [],
  );
  const shared = { moves, dragged, onDrag: setDragged, onShowAll };
  return (
    <>
      {narrow ? (
        <Tabs
          items={columns.map((column) => ({
            key: column.status,
            label: `${t(`status.${column.status}`)} ${column.total.toLocaleString('en-US')}`,
            children: <Cards column={column} {...shared} />,
          }))}
        />
      ) : (
        <div className={css.board}>
          {columns.map((column) => (
            <Column key={column.status} column={column} {...shared} />
          ))}
        </div>
      )}
      {moves.closing && <CloseDialog issue={moves.closing} onClose={moves.endClosing} />}
    </>
  );
}

interface ColumnProps {
  column: BoardColumn;
  moves: Moves;
  dragged: IssueRow | null;
  onDrag(issue: IssueRow | null): void;
  onShowAll(status: IssueStatus): void;
}

/** A status with its number of issues. A dragged card can be dropped where its move is possible. */
function Column(props: ColumnProps) {
  const { column, moves, dragged, onDrag } = props;
  const { t } = useTranslation('issues');
  const [over, setOver] = useState(false);
  const move = dragged && moveInto(dragged.status, column.status);
  const drop = dragged === null || dragged.status === column.status ? undefined : move === null ? 'no' : 'yes';
  return (
    <section
      className={css.column}
      aria-label={t('board.column', { status: t(`status.${column.status}`), count: column.total })}
      data-drop={drop}
      data-over={over && move !== null}
      onDragOver={(event) => {
        if (move === null) return;
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(false);
      }}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        onDrag(null);
        if (dragged && move) moves.start(dragged, move);
      }}
    >
      <header className={css.columnHead}>
        <h2>
          <IssueStatusTag status={column.status} />
        </h2>
        <span>{column.total.toLocaleString('en-US')}</span>
      </header>
      <Cards {...props} />
    </section>
  );
}

function Cards({ column, moves, dragged, onDrag, onShowAll }: ColumnProps) {
  const { t } = useTranslation('issues');
  if (column.items.length === 0) return <p className={css.none}>{t('board.none')}</p>;
  return (
    <>
      <ul className="row-list">
        {column.items.map((issue) => (
          <IssueCard key={issue.id} issue={issue} moves={moves} dragged={dragged?.id === issue.id} onDrag={onDrag} />
        ))}
      </ul>
      {column.total > column.items.length && (
        <button type="button" className="text-button" onClick={() => onShowAll(column.status)}>
          {t('board.showAll', { count: column.total })}
        </button>
      )}
    </>
  );
}
