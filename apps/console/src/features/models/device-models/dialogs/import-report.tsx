import type { ImportReport } from '@chargehand/contract';
import { useTranslation } from 'react-i18next';
import css from '../../models.module.css';

/** The expected result of an import, problems first. */
export function ImportReportView({ report }: { report: ImportReport }) {
  const { t } = useTranslation('models');
  const differing = report.keptItems.filter(({ differs }) => differs).map(({ key }) => key);
  if (report.problems.length > 0) {
    return (
      <section className={css.modelImportProblems} aria-label={t('import.problems', { count: report.problems.length })}>
        <h3>{t('import.problems', { count: report.problems.length })}</h3>
        <ul>
          {report.problems.map(({ path, message }) => (
            <li key={`${path} ${message}`}>
              {path !== '' && <code>{path}</code>} {message}
            </li>
          ))}
        </ul>
      </section>
    );
  }
  return (
    <section className={css.importReport} aria-live="polite">
      <h3>{t('import.would', { name: report.name })}</h3>
      <ul>
        <li>
          {t('import.contents', { configs: report.configs, parameters: report.parameters, controls: report.controls })}
        </li>
        <li>{t('import.newItems', { count: report.newItems.length })}</li>
        {report.newGroups.length > 0 && <li>{t('import.newGroups', { names: report.newGroups.join(', ') })}</li>}
        <li>{t('import.keptItems', { count: report.keptItems.length })}</li>
        {differing.length > 0 && <li>{t('import.differing', { names: differing.join(', ') })}</li>}
      </ul>
    </section>
  );
}
