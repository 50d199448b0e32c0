import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { deviceDetail } from '../testing/devices.ts';
import { LANGUAGES } from '../testing/languages.ts';
import { sees } from '../testing/on-screen.ts';
import { sample, sampleList } from '../testing/sample.ts';
import { showConsole } from '../testing/show-console.tsx';

const AGE_MS = (6 * 60 + 5) * 60_000;
const ALARM = { code: 'E-1042', nameEn: 'Plug too hot', nameZh: '枪头过热', level: 'CA', deviceModelId: 3 } as const;
const PILE = { id: 4, name: 'Pile 3', siteId: 2, siteName: 'North quay' };

/** Where an alarm is shown, with the element that contains all that is said about it. */
const PLACES = [
  ['Home', '/manage/home', 'main li'],
  ['the cockpit of its site', '/manage/site/detail/2', 'main li'],
  ['the list of alarms', '/manage/device/alarms', 'main tbody tr'],
  ['the page of its device', '/manage/device/detail/4', 'main [class*=deviceAlarm]'],
] as const;

test.each(LANGUAGES.flatMap((locale) => PLACES.map((place) => [locale, ...place] as const)))(
  'in %s, %s says the same about an alarm: its name, level and age',
  async (locale, _, path, place) => {
    const since = new Date(Date.now() - AGE_MS).toISOString();
    const incidents = sampleList('listIncidents', [
      {
        ...{ ...ALARM, alarmId: 7, alarms: 1, since, siteId: PILE.siteId, siteName: PILE.siteName },
        ...{ devices: [{ id: PILE.id, name: PILE.name }], deviceCount: 1, unacknowledged: [7] },
      },
    ]);
    const alarms = sampleList('listAlarms', [
      {
        ...{
          ...ALARM,
          id: 7,
          raisedAt: since,
          lastAt: since,
          clearedAt: null,
          suppressed: false,
          acknowledgedAt: null,
        },
        ...{ deviceId: PILE.id, deviceName: PILE.name, siteId: PILE.siteId, siteName: PILE.siteName },
      },
    ]);
    const { t } = await showConsole(path, {
      ...{ locale, size: [1440, 900] },
      answers: {
        countDevices: sample('countDevices', { total: 3 }),
        readDevice: deviceDetail({ ...PILE, activeAlarms: 1 }),
        readSite: sample('readSite', { id: PILE.siteId, name: PILE.siteName }),
        listIncidents: incidents,
        listAlarms: alarms,
      },
    });
    const name = locale === 'zh-CN' ? ALARM.nameZh : ALARM.nameEn;
    await sees(page.getByRole('main').getByText(name).first());
    const shown = [...document.querySelectorAll(place)].find((one) => one.textContent?.includes(name))?.textContent;
    const age = `${t('common:duration.hours', { count: 6 })} ${t('common:duration.minutes', { count: 5 })}`;
    for (const text of [ALARM.code, t('common:levelName.CA'), age]) expect(shown).toContain(text);
  },
);
