import { busContract } from '../../testing/cluster/bus-contract.ts';
import { localBus } from './local-bus.ts';

busContract(
  'local',
  async (onError) => {
    const bus = localBus(onError);
    return { one: bus, other: bus, settled: async () => undefined, close: () => bus.close(), faults: null };
  },
  { hasFaults: false },
);
