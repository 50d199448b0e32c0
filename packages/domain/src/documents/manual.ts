/** The pages of the user manual that the product ships, by the key of their document. */
export const MANUAL_PAGES = [
  ...(['manual-overview', 'manual-home', 'manual-alarms', 'manual-devices', 'manual-registration'] as const),
  ...(['manual-control', 'manual-parameters', 'manual-batches', 'manual-transfers', 'manual-charts'] as const),
  ...([
    'manual-sites',
    'manual-documents',
    'manual-attachments',
    'manual-issues',
    'manual-messages',
    'manual-customers',
    'manual-models',
    'manual-users',
  ] as const),
  ...(['manual-logs', 'manual-mails', 'manual-system', 'manual-account'] as const),
] as const;
export type ManualPage = (typeof MANUAL_PAGES)[number];

/** The pages of the console by the start of their path, the first match counts. */
const PAGES: readonly (readonly [path: string, page: ManualPage])[] = [
  ['/manage/home', 'manual-home'],
  ['/manage/my', 'manual-account'],
  ['/manage/device/alarms', 'manual-alarms'],
  ['/manage/device/charts', 'manual-charts'],
  ['/manage/device/batch', 'manual-batches'],
  ['/manage/device-model-firmware', 'manual-transfers'],
  ['/manage/device-model', 'manual-models'],
  ['/manage/config-model', 'manual-models'],
  ['/manage/device', 'manual-devices'],
  ['/manage/site', 'manual-sites'],
  ['/manage/customer', 'manual-customers'],
  ['/manage/user', 'manual-users'],
  ['/manage/role', 'manual-users'],
  ['/manage/system/role', 'manual-users'],
  ['/manage/system/mails', 'manual-mails'],
  ['/manage/system/list', 'manual-registration'],
  ['/manage/system', 'manual-system'],
  ['/manage/logs', 'manual-logs'],
  ['/manage/docs', 'manual-documents'],
  ['/manage/attach', 'manual-attachments'],
  ['/manage/issue', 'manual-issues'],
  ['/manage/message', 'manual-messages'],
];

/** The tabs and sections of a device that another page than the one about devices explains. */
const DEVICE_PARTS: Readonly<Record<string, ManualPage>> = {
  ...{ operations: 'manual-control', alarms: 'manual-alarms', events: 'manual-alarms', charts: 'manual-charts' },
  issues: 'manual-issues',
  ...{ traffic: 'manual-charts', logs: 'manual-transfers', protocol: 'manual-logs' },
};

/**
 * The page of the manual that explains a page of the console, the overview for pages without one. `part` is the open tab
 * or section of a device.
 */
export function manualPageOf(path: string, part: string | null): ManualPage {
  const ofDevice = /^\/manage\/device\/(?:[^/]+\/)?detail\//.test(path);
  if (ofDevice && part !== null && Object.hasOwn(DEVICE_PARTS, part)) return DEVICE_PARTS[part]!;
  return PAGES.find(([start]) => path.startsWith(start))?.[1] ?? 'manual-overview';
}
