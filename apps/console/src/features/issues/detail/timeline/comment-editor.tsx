import { type DocumentContent, isEmptyContent } from '@chargehand/domain';
import { Button } from 'antd';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { LeaveGuard } from '../../../../shared/ui/dialogs/leave-guard.tsx';
import { ErrorNote } from '../../../../shared/ui/states/error-note.tsx';
import { TextField } from '../../text/text-field.tsx';
import css from './timeline.module.css';
import { useSending } from './use-sending.ts';

interface Props {
  issueId: number;
  label: string;
  initial: DocumentContent;
  /** the label of the button */
  saves: string;
  /** @throws ApiProblem */
  onSave(text: DocumentContent): Promise<void>;
  onCancel(): void;
}

/** Changes a text that exists. A failed save keeps what was typed. */
export function CommentEditor({ issueId, label, initial, saves, onSave, onCancel }: Props) {
  const { t } = useTranslation('issue');
  const { t: common } = useTranslation();
  const id = useId();
  const [text, setText] = useState(initial);
  const [empty, setEmpty] = useState(false);
  const [uploading, setUploading] = useState(false);
  const { sending, problem, send } = useSending(() => onSave(text));
  return (
    <div className="stack">
      <LeaveGuard active={text !== initial} />
      <TextField
        {...{ issueId, label, initial }}
        placeholder={t('comment.placeholder')}
        errorId={empty ? `${id}-empty` : undefined}
        focused
        onChange={(next) => {
          setText(next);
          setEmpty(false);
        }}
        onUploading={setUploading}
      />
      {empty && (
        <p className="error-note" id={`${id}-empty`} role="alert">
          {t('comment.empty')}
        </p>
      )}
      <ErrorNote text={problem} />
      <div className={css.buttons}>
        <Button
          type="primary"
          loading={sending}
          disabled={uploading}
          onClick={() => (isEmptyContent(text) ? setEmpty(true) : void send())}
        >
          {saves}
        </Button>
        <Button disabled={sending} onClick={onCancel}>
          {common('cancel')}
        </Button>
      </div>
    </div>
  );
}
