import { type MappedReadings, mapSamples, toNumber } from '../../ocpp/readings.ts';

/** MeterValue of OCPP 1.6 §7.32. */
export interface MeterValue {
  timestamp: string;
  sampledValue: SampledValue[];
}

/** SampledValue of OCPP 1.6 §7.43. */
export interface SampledValue {
  value: string;
  context?: string;
  format?: string;
  measurand?: string;
  phase?: string;
  location?: string;
  unit?: string;
}

/** The readings in meter values of OCPP 1.6, where values are strings. */
export function mapMeterValues(
  connector: number,
  transactionId: number | null,
  meterValues: readonly MeterValue[],
  receivedAt: Date,
): MappedReadings {
  const sampled = meterValues.map(({ timestamp, sampledValue }) => ({
    timestamp,
    samples: sampledValue.map(({ value, format, measurand, phase, location, unit }) => ({
      value: toNumber(value),
      signedOnly: format === 'SignedData',
      ...{ measurand, phase, location, unit },
    })),
  }));
  return mapSamples(connector, transactionId, sampled, receivedAt);
}
