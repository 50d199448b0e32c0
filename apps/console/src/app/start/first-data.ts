import { EVENTS_SHOWN, INCIDENTS_SHOWN } from '../../features/alarms/alarm/home-data.ts';
import { countedFilters, DEVICE_LIST } from '../../features/fleet/devices/device-list.ts';
import { fetchAhead } from '../../shared/api/query.ts';
import { readListQuery } from '../../shared/lib/lists/list-query.ts';

type Params = Readonly<Record<string, string | undefined>>;

/** What the pages read that users open most often, with the inputs of the pages. */
const FIRST_DATA: Record<string, (params: Params, search: URLSearchParams) => void> = {
  '/manage/home'() {
    fetchAhead('countDevices', { query: {} });
    fetchAhead('readSiteStates', {});
    fetchAhead('summarizeAlarms', { query: {} });
    fetchAhead('readKeyFigures', { query: {} });
    fetchAhead('listIncidents', { query: { limit: INCIDENTS_SHOWN } });
    fetchAhead('listDeviceEvents', { query: { limit: EVENTS_SHOWN } });
  },
  '/manage/device/list'(_, search) {
    const query = readListQuery(search, DEVICE_LIST);
    fetchAhead('listDevices', { query });
    fetchAhead('countDevices', { query: countedFilters(query) });
  },
  '/manage/device/:listtype?/detail/:id/:type?'({ id }) {
    const device = { params: { id: Number(id) } };
    fetchAhead('readDevice', device);
    fetchAhead('listControls', device);
    fetchAhead('readRuntime', device);
    fetchAhead('readDeviceFigures', device);
  },
};

/**
 * Requests what the first page reads, while the code of the page is loading. On a slow network that saves a round trip
 * after the last script.
 */
export function requestFirstData(path: string, params: Params, search: URLSearchParams): void {
  FIRST_DATA[path]?.(params, search);
}
