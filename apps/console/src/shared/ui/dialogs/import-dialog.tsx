import { Button } from 'antd';
import { type DragEvent, type ReactNode, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiProblem } from '../../api/problem.ts';
import { SkeletonRows } from '../states/skeleton-rows.tsx';
import { Dialog } from './dialog.tsx';
import css from './import-dialog.module.css';

interface Props {
  title: string;
  /** what is imported */
  text: string;
  /** the button that imports */
  ok: string;
  /** the button that chooses a file */
  choose: string;
  /** the accepted files, as in an input field */
  accept: string;
  /** the chosen file, null before */
  fileName: string | null;
  /** why the chosen file is not accepted */
  unfit: string | null;
  /** the error of the check or of the import */
  problem: Error | null;
  /** the expected result is being computed */
  checking: boolean;
  /** the result is known, and something can be imported */
  ready: boolean;
  importing: boolean;
  /** it is imported, and `children` show the result; the dialog can only be closed */
  done?: boolean;
  width?: number;
  /** also accepts a folder, and what is dropped */
  folder?: {
    /** the button that chooses a folder */
    choose: string;
    /** where files and folders can be dropped */
    drop: string;
    onChoose(files: FileList): void;
    onDrop(transfer: DataTransfer): void;
  };
  /** fields above the file */
  fields?: ReactNode;
  /** the expected result */
  children?: ReactNode;
  onChoose(file: File): void;
  onImport(): void;
  onClose(): void;
}

/** Imports a file. The expected result is shown before anything is imported. */
export function ImportDialog(props: Props) {
  const { fileName, unfit, problem, folder, done = false } = props;
  const { t } = useTranslation();
  const input = useRef<HTMLInputElement>(null);
  const folderInput = useRef<HTMLInputElement>(null);
  const [over, setOver] = useState(false);
  const dropping = folder && {
    onDragOver: (event: DragEvent) => {
      event.preventDefault();
      setOver(true);
    },
    onDragLeave: () => setOver(false),
    onDrop: (event: DragEvent) => {
      event.preventDefault();
      setOver(false);
      folder.onDrop(event.dataTransfer);
    },
  };
  if (done) {
    return (
      <Dialog
        title={props.title}
        onCancel={props.onClose}
        width={props.width ?? 600}
        footer={
          <Button type="primary" onClick={props.onClose}>
            {t('close')}
          </Button>
        }
      >
        <div className="dialog-text">{props.children}</div>
      </Dialog>
    );
  }
  return (
    <Dialog
      title={props.title}
      okText={props.ok}
      cancelText={t('cancel')}
      okButtonProps={{ disabled: !props.ready }}
      pending={props.importing}
      onOk={props.onImport}
      onCancel={props.onClose}
      width={props.width ?? 600}
    >
      <div className={`dialog-text ${css.zone}`} data-over={over || undefined} {...dropping}>
        <p>{props.text}</p>
        {props.fields}
        <span className="field-row">
          <input
            ref={input}
            className="visually-hidden"
            type="file"
            accept={props.accept}
            aria-label={props.choose}
            onChange={(event) => {
              const file = event.target.files?.[0];
              // Allows the same file to be selected again after it was changed.
              event.target.value = '';
              if (file) props.onChoose(file);
            }}
          />
          <Button onClick={() => input.current?.click()}>{props.choose}</Button>
          {folder && (
            <>
              <input
                ref={folderInput}
                className="visually-hidden"
                type="file"
                multiple
                // React knows no property for it.
                {...{ webkitdirectory: '' }}
                aria-label={folder.choose}
                onChange={(event) => {
                  const { files } = event.target;
                  if (files && files.length > 0) folder.onChoose(files);
                  event.target.value = '';
                }}
              />
              <Button onClick={() => folderInput.current?.click()}>{folder.choose}</Button>
            </>
          )}
          {fileName !== null && <span className="mono">{fileName}</span>}
        </span>
        {folder && fileName === null && <p className={css.hint}>{folder.drop}</p>}
        {unfit !== null && (
          <p className="error-note" role="alert">
            {unfit}
          </p>
        )}
        {problem instanceof ApiProblem && (
          <p className="error-note" role="alert">
            {problem.message}
          </p>
        )}
        {props.checking && <SkeletonRows rows={3} />}
        {props.children}
      </div>
    </Dialog>
  );
}
