import { useMutation } from '@tanstack/react-query';
import type { FormInstance } from 'antd';
import { ApiProblem } from '../api/problem.ts';
import { i18n } from '../i18n/i18n.ts';
import { toast } from '../ui/dialogs/toast.ts';

/**
 * Saves the values of a form. Errors of the server are shown at their fields; `problem` is an error without a field.
 */
export function useSave<V extends object, A>(
  form: FormInstance<V>,
  run: (values: V) => Promise<A>,
  done: (answer: A) => unknown,
) {
  const save = useMutation({
    mutationFn: run,
    onSuccess: done,
    onError: (error) => {
      // Errors of the server have a place in the form.
      if (!(error instanceof ApiProblem)) toast.error(i18n.t('com_error_system'));
      const name = fieldOf(form, error);
      if (name === null) return;
      form.setFields([{ name: name as never, errors: [(error as ApiProblem).message] }]);
      form.scrollToField(name, { focus: true });
    },
  });
  const problem = save.error instanceof ApiProblem && fieldOf(form, save.error) === null ? save.error.message : null;
  return { save, problem };
}

/** The invalid field of the form, null when the error names none of them. */
function fieldOf<V extends object>(form: FormInstance<V>, error: unknown): string | null {
  if (!(error instanceof ApiProblem) || !error.field) return null;
  return error.field in (form.getFieldsValue(true) as object) ? error.field : null;
}
