// The active devices, in a separate process: they charge, fail and lose their connection like those of the demo. argv:
// address of the gateway, SN prefix, number of devices, number of devices at the start to leave out
import { DEMO_OCPP201_EVERY } from '../../apps/server/src/demo.ts';
import { prepareFleet } from '../../apps/simulator/src/index.ts';

const [url = '', prefix = '', devices = '0', skipped = '0'] = process.argv.slice(2);
const fleet = await prepareFleet({
  url,
  prefix,
  devices: Number(devices),
  ocpp201: 1 / DEMO_OCPP201_EVERY,
  seed: 7,
  heartbeat: 30,
  meterInterval: 10,
  sessionEvery: 4,
  faultEvery: 12,
  disconnectEvery: 30,
  slowAnswers: { share: 0.05, maxMs: 4_000 },
});
const active = fleet.devices.slice(Number(skipped));
for (const device of active) await device.start();
await Promise.all(active.map((device) => device.whenAccepted()));
process.send?.('accepted');
process.on('disconnect', () => process.exit(0));
