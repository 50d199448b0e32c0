import { expect, test } from 'vitest';
import { openSection } from './open-section.ts';

const section = (key: string) => ({ key });
const TABS = [
  { key: 'overview', sections: ['runtime', 'timeline', 'alarms'].map(section) },
  { key: 'operations', sections: ['commands', 'links'].map(section) },
  { key: 'details', sections: ['config', 'issues'].map(section) },
];

test.each([
  [null, null, 'overview/runtime'],
  ['operations', null, 'operations/commands'],
  ['details', null, 'details/config'],
  ['overview', 'alarms', 'overview/alarms'],
  // Addresses from before the tabs, which are in mails and bookmarks.
  ['details', 'alarms', 'overview/alarms'],
  ['details', 'issues', 'details/issues'],
  ['issues', null, 'details/issues'],
  ['links', null, 'operations/links'],
  [null, 'config', 'details/config'],
  [null, 'operations', 'operations/commands'],
  ['operations', 'nothing', 'operations/commands'],
  ['nothing', 'nothing', 'overview/runtime'],
])('tab %s, section %s: %s', (tab, wanted, expected) => {
  const open = openSection(TABS, tab, wanted);
  expect(`${open.tab.key}/${open.section.key}`).toBe(expected);
});
