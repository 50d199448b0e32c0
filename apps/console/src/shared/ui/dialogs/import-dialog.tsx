import { Button } from 'antd';
import { type ReactNode, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiProblem } from '../../api/problem.ts';
import { SkeletonRows } from '../states/skeleton-rows.tsx';
import { Dialog } from './dialog.tsx';

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
  width?: number;
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
  const { fileName, unfit, problem } = props;
  const { t } = useTranslation();
  const input = useRef<HTMLInputElement>(null);
  return (
    <Dialog
      title={props.title}
      okText={props.ok}
      cancelText={t('cancel')}
      okButtonProps={{ disabled: !props.ready, loading: props.importing }}
      onOk={props.onImport}
      onCancel={props.onClose}
      width={props.width ?? 600}
    >
      <div className="dialog-text">
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
          {fileName !== null && <span className="mono">{fileName}</span>}
        </span>
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
