import { ANY, follow } from '../../shared/live/topics.ts';

follow(['device.state', 'device.alarms', 'device.details'], ['listDevices', 'readDevice']);
follow(['device.state', 'device.details'], 'countDevices');
follow(['device.state', 'device.alarms', 'device.details'], 'readSiteStates');
follow(['device.state', 'device.alarms'], 'listSites');
follow(['device.state', 'device.alarms'], 'readSite', ANY);
follow('device.details', ['listMaintenances', 'listDeviceImages', 'listDeviceCertificates']);
