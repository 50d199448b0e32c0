import { useTranslation } from 'react-i18next';
import { Panel } from '../../../shared/ui/page/page-header.tsx';
import css from './import.module.css';

/** The fields of a row as the server reads them, with the key of their label. */
export const FIELDS = [
  { field: 'sn', needed: true, column: 'sn' },
  { field: 'name', needed: true, column: 'name' },
  { field: 'site', needed: true, column: 'site' },
  { field: 'customer', needed: false, column: 'customer' },
  { field: 'model', needed: true, column: 'deviceModel' },
  { field: 'arrivalDate', needed: false, column: 'arrivalDate' },
  { field: 'installDate', needed: false, column: 'installDate' },
  { field: 'maintenanceCycleDays', needed: false, column: 'maintenanceCycle' },
  { field: 'gatewayPassword', needed: false, column: 'gatewayPassword' },
] as const;

const EXAMPLE = `[
  { "sn": "CP-0001", "name": "North gate 1", "site": "QUAY", "model": "Generic OCPP 1.6 pile" },
  { "sn": "CP-0002", "name": "North gate 2", "site": "QUAY", "model": "Generic OCPP 1.6 pile",
    "installDate": "2026-05-01", "maintenanceCycleDays": 180 }
]`;

/** The formats of an import file, for users who create one. */
export function ImportFormats() {
  const { t } = useTranslation('devices');
  return (
    <Panel title={t('import.formats')}>
      <div className={css.importFormats}>
        <p>{t('import.json')}</p>
        <pre>{EXAMPLE}</pre>
        <p>{t('import.xlsx')}</p>
        <div className={css.importFields}>
          <table className="fact-table">
            <thead>
              <tr>
                <th scope="col">{t('import.field')}</th>
                <th scope="col">{t('import.column')}</th>
                <th scope="col">{t('import.holds')}</th>
              </tr>
            </thead>
            <tbody>
              {FIELDS.map(({ field, needed, column }) => (
                <tr key={field}>
                  <td>
                    <code>{field}</code>
                  </td>
                  <td>{t(`import.headings.${column}`)}</td>
                  <td>
                    {t(`import.about.${field}`)}
                    {needed && <strong>{` · ${t('import.needed')}`}</strong>}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </div>
    </Panel>
  );
}
