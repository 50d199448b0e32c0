import type { RoleData, RoleDetail } from '@chargehand/contract';
import { LEVEL_AREAS, LEVEL_VERBS, type Level, type LevelArea, type Levels, type LevelVerb } from '@chargehand/domain';
import { useMutation } from '@tanstack/react-query';
import { Radio, Select, Switch } from 'antd';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../shared/api/client.ts';
import { refresh } from '../../../shared/api/query.ts';
import { useEntered } from '../../../shared/hooks/use-entered.ts';
import { useLevelOptions } from '../../../shared/i18n/use-level-name.ts';
import { useRoleName } from '../../../shared/i18n/use-role-name.ts';
import { useUser } from '../../../shared/session/use-user.ts';
import { toast } from '../../../shared/ui/dialogs/toast.ts';
import { Panel } from '../../../shared/ui/page/page-header.tsx';
import css from '../people.module.css';
import { RoleOf, RolePage } from './role-page.tsx';
import { RolePreview } from './role-preview.tsx';

/** Data authorization of a role: customer and site scope, and the levels in each area. */
export default function RoleDataPage() {
  const { t: routes } = useTranslation('routes');
  const title = routes('roleData');
  return <RoleOf title={title}>{(role) => <RoleDataForm key={role.id} title={title} role={role} />}</RoleOf>;
}

function RoleDataForm({ title, role }: { title: string; role: RoleDetail }) {
  const roleNameOf = useRoleName();
  const { t } = useTranslation('people');
  const levelOptions = useLevelOptions();
  const { user, info } = useUser();
  const own = info.role.levels as Levels;
  const [data, setData] = useEntered(role, dataOf);
  const change = (part: Partial<RoleData>) => setData((before) => ({ ...before, ...part }));
  const levels = data.levels as Levels;
  const setLevel = (area: LevelArea, verb: LevelVerb, level: Level) =>
    change({ levels: { ...levels, [area]: { ...levels[area], [verb]: level } } });
  const dirty = JSON.stringify(data) !== JSON.stringify(dataOf(role));
  const save = useMutation({
    mutationFn: () =>
      call('setRoleData', { params: { id: role.id }, body: { ...data, revision: role.revision } }, { quiet: true }),
    onSuccess: async () => {
      toast.success(t('role.saved', { name: roleNameOf(role.name) }));
      await refresh('readRole', 'listRoles', 'listRoleChoices');
    },
  });
  const fixed = !role.grantable;

  return (
    <RolePage title={title} role={role} part="data" dirty={dirty} save={save} onDiscard={() => setData(dataOf(role))}>
      <div className={css.roleData}>
        <div className="stack">
          <Panel title={t('role.reach')}>
            <Row label={t('role.customerAccess')}>
              <Radio.Group
                disabled={fixed}
                value={data.customerAccess}
                options={[0, 1, 2].map((value) => ({ value, label: t(`customerAccess.${value as 0}`) }))}
                onChange={(event) => change({ customerAccess: event.target.value as number })}
              />
            </Row>
            <Row label={t('role.siteAccess')}>
              <Radio.Group
                disabled={fixed}
                value={data.siteAccess}
                options={[0, 1].map((value) => ({ value, label: t(`siteAccess.${value as 0}`) }))}
                onChange={(event) => change({ siteAccess: event.target.value as number })}
              />
            </Row>
            <Row label={t('role.remoteAccess')}>
              <Radio.Group
                disabled={fixed}
                value={data.remoteAccess}
                options={[0, 3, 2, 1].map((value) => ({ value, label: t(`remoteAccess.${value as 0}`) }))}
                onChange={(event) => change({ remoteAccess: event.target.value as number })}
              />
            </Row>
            <Row label={t('role.secondFactor')}>
              <Switch
                disabled={fixed}
                checked={data.secondFactor ?? false}
                onChange={(secondFactor) => change({ secondFactor })}
                aria-label={t('role.secondFactor')}
              />
              <p className="quiet">{t('role.secondFactorHint')}</p>
            </Row>
            <Row label={t('role.emailAlarm')}>
              <Switch
                disabled={fixed}
                checked={data.emailAlarm}
                onChange={(emailAlarm) => change({ emailAlarm })}
                aria-label={t('role.emailAlarm')}
              />
            </Row>
          </Panel>
          <Panel title={t('role.levels')}>
            <table className={`fact-table ${css.levelTable}`}>
              <thead>
                <tr>
                  <th scope="col">{t('role.area')}</th>
                  {LEVEL_VERBS.map((verb) => (
                    <th key={verb} scope="col">
                      {t(`verb.${verb}`)}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {LEVEL_AREAS.map((area) => (
                  <tr key={area}>
                    <th scope="row">{t(`area.${area}`)}</th>
                    {LEVEL_VERBS.map((verb) => (
                      <td key={verb} data-verb={t(`verb.${verb}`)}>
                        <Select<Level>
                          className={css.levelChoice}
                          size="small"
                          disabled={fixed}
                          value={levels[area][verb]}
                          aria-label={`${t(`area.${area}`)} ${t(`verb.${verb}`)}`}
                          popupMatchSelectWidth={false}
                          options={levelOptions((level) => !user.root && level < own[area][verb])}
                          onChange={(level) => setLevel(area, verb, level)}
                        />
                      </td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          </Panel>
        </div>
        <RolePreview data={data} keys={role.keys} />
      </div>
    </RolePage>
  );
}

function Row({ label, children }: { label: string; children: ReactNode }) {
  return (
    <fieldset className={css.roleRow}>
      <legend>{label}</legend>
      {children}
    </fieldset>
  );
}

function dataOf(role: RoleDetail): RoleData {
  const { customerAccess, siteAccess, remoteAccess, emailAlarm, secondFactor, levels } = role;
  return { customerAccess, siteAccess, remoteAccess, emailAlarm, secondFactor, levels };
}
