import { Button, Form, type FormInstance, type FormProps } from 'antd';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSave } from '../../hooks/use-save.ts';
import { LeaveGuard } from '../dialogs/leave-guard.tsx';
import { useOwnNavigate } from '../dialogs/own-navigate.ts';
import { Panel } from '../page/page-header.tsx';
import './form-panel.css';
import './save-bar.css';

interface Props<V extends object> {
  /** from `Form.useForm()` of the caller, who may watch its fields */
  form: FormInstance<V>;
  /** the accessible name */
  label: string;
  initialValues: FormProps<V>['initialValues'];
  /**
   * Saves the values and returns the path to open afterwards. Errors of the server are shown at their fields. @throws
   * ApiProblem
   */
  onSave(values: V): Promise<string>;
  /** the label of the save button; default "Save" */
  saves?: string;
  /** true while it cannot be saved, such as during an upload */
  disabled?: boolean;
  /** true when something was changed that is not a field of the form */
  edited?: boolean;
  /** `Form.Item`s; those with the class `form-wide` span both columns */
  children: ReactNode;
}

/**
 * The form of a page: fields in two columns, server errors at their fields, a confirmation before unsaved changes are
 * lost, and buttons to save and to cancel. Cancel goes back.
 */
export function FormPanel<V extends object>(props: Props<V>) {
  const { form, onSave, disabled = false, edited = false } = props;
  const { t } = useTranslation();
  const navigate = useOwnNavigate();
  const [dirty, setDirty] = useState(false);
  const { save, problem } = useSave(form, onSave, (path) => navigate(path, { replace: true }));
  return (
    <Panel>
      <LeaveGuard active={(dirty || edited) && !save.isSuccess} pending={save.isPending} />
      <Form<V>
        form={form}
        className="form-panel"
        layout="vertical"
        scrollToFirstError={{ focus: true }}
        initialValues={props.initialValues}
        onValuesChange={() => setDirty(true)}
        onFinish={(values) => save.mutate(values)}
        aria-label={props.label}
      >
        {props.children}
        {problem && (
          <p className="error-note form-wide" role="alert">
            {problem}
          </p>
        )}
        <div className="save-bar form-wide">
          <Button type="primary" htmlType="submit" loading={save.isPending} disabled={disabled}>
            {props.saves ?? t('save')}
          </Button>
          <Button disabled={save.isPending} onClick={() => navigate(-1)}>
            {t('cancel')}
          </Button>
        </div>
      </Form>
    </Panel>
  );
}
