import type { IssueRow } from '@chargehand/contract';
import type { KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { MoreMenu } from '../../../shared/ui/dialogs/more-menu.tsx';
import { TimeAgo } from '../../../shared/ui/values/time-ago.tsx';
import { IssueDue, IssueLabels, IssuePriorityMark } from '../shared/issue-marks.tsx';
import { issuePath } from '../shared/issue-paths.ts';
import { useIssueRights } from '../shared/use-issue-rights.ts';
import css from './board.module.css';
import { moveAside, movesOf } from './moves.ts';
import type { Moves } from './use-moves.ts';

interface Props {
  issue: IssueRow;
  moves: Moves;
  /** the card is being dragged */
  dragged: boolean;
  onDrag(issue: IssueRow | null): void;
}

/** An issue on the board. It moves by dragging, with its menu, and with Shift and an arrow key. */
export function IssueCard({ issue, moves, dragged, onDrag }: Props) {
  const { t } = useTranslation('issues');
  const { read } = useIssueRights();
  const may = moves.may(issue);
  const busy = moves.busy.has(issue.id);
  const place = issue.deviceName ?? issue.siteName ?? issue.customerName;
  const onKeyDown = (event: KeyboardEvent) => {
    if (!may || !event.shiftKey || (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight')) return;
    event.preventDefault();
    const move = moveAside(issue.status, event.key === 'ArrowLeft' ? 'left' : 'right');
    if (move) moves.start(issue, move);
  };
  const title = `${issue.key} ${issue.title}`;
  return (
    <li
      className={css.card}
      data-issue={issue.id}
      data-dragged={dragged}
      aria-busy={busy}
      draggable={may}
      onDragStart={(event) => {
        event.dataTransfer.effectAllowed = 'move';
        event.dataTransfer.setData('text/plain', title);
        onDrag(issue);
      }}
      onDragEnd={() => onDrag(null)}
      onKeyDown={onKeyDown}
    >
      <div className={css.cardHead}>
        <IssuePriorityMark priority={issue.priority} />
        {read ? (
          <Link to={issuePath(issue.id)} draggable={false} aria-keyshortcuts="Shift+ArrowLeft Shift+ArrowRight">
            {title}
          </Link>
        ) : (
          <span>{title}</span>
        )}
        {may && (
          <MoreMenu
            size="small"
            label={t('board.move', { issue: issue.key })}
            items={movesOf(issue.status).map((move) => ({
              key: move,
              label: t(`move.${move}`),
              onClick: () => moves.start(issue, move),
            }))}
          />
        )}
      </div>
      <div className={css.cardLine}>
        <span>{place}</span>
        {busy ? <span role="status">{t('board.moving')}</span> : <TimeAgo at={issue.updatedAt} />}
      </div>
      <div className={css.cardLine}>
        <span>{issue.assignee?.name ?? t('unassigned')}</span>
        {issue.dueAt !== null && <IssueDue issue={issue} />}
      </div>
      {issue.mergedInto !== null && <span className="quiet">{t('merged')}</span>}
      <IssueLabels labels={issue.labels} />
    </li>
  );
}
