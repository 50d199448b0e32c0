/** The devices of the demo: SNs of charge points in the order of the simulator, and of storage units. */
export interface DemoFleet {
  chargers: readonly { sn: string; protocol: '1.6' | '2.0.1' }[];
  storage: readonly string[];
}
