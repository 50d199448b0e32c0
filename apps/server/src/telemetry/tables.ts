import type { Generated, GeneratedAlways } from 'kysely';
import type { Json } from '../platform/database/json.ts';

declare module '../platform/database/schema.ts' {
  interface Database {
    reading_layouts: ReadingLayoutsTable;
    readings: ReadingsTable;
    reading_batches: ReadingBatchesTable;
    readings_5m: RollupTable;
    readings_1h: RollupTable;
    readings_1d: RollupTable;
    reading_marks: ReadingMarksTable;
    rollup_marks: RollupMarksTable;
    latest_readings: LatestReadingsTable;
    latest_texts: LatestTextsTable;
    transactions: TransactionsTable;
  }
}

interface ReadingLayoutsTable {
  id: GeneratedAlways<number>;
  items: Json;
}

interface ReadingsTable {
  device_id: number;
  connector: number;
  at: Date;
  received_at: Date;
  layout_id: number;
  transaction_id: number | null;
  analog: number[];
  counters: number[];
}

interface ReadingBatchesTable {
  device_id: number;
  at: Date;
  last_at: Date;
  readings: number;
  data: Buffer;
}

interface RollupTable {
  device_id: number;
  connector: number;
  layout_id: number;
  at: Date;
  readings: number;
  first_at: Date;
  last_at: Date;
  low: number[];
  high: number[];
  mean: number[];
  counter_first: number[];
  counter_last: number[];
  counter_high: number[];
}

interface ReadingMarksTable {
  device_id: number;
  at: Date;
}

interface RollupMarksTable {
  level: 'hour' | 'day';
  device_id: number;
  at: Date;
}

interface LatestReadingsTable {
  device_id: number;
  connector: number;
  layout_id: number;
  at: Date;
  analog: number[];
  counters: number[];
}

interface LatestTextsTable {
  device_id: number;
  connector: number;
  key: string;
  value: string;
  at: Date;
}

interface TransactionsTable {
  id: GeneratedAlways<number>;
  device_id: number;
  connector: number;
  id_tag: string;
  meter_start: number;
  started_at: Date;
  meter_stop: number | null;
  stopped_at: Date | null;
  stop_id_tag: string | null;
  decision: Json | null;
  decision_seq: number | null;
  stop_reason: string | null;
  external_id: string | null;
  first_seq: number | null;
  last_seq: number | null;
  id_seq: number | null;
  end_seq: number | null;
  end_meter: number | null;
  meter_last: number | null;
  stop_cause: string | null;
  closed_by_name: string | null;
  close_comment: string | null;
  recorded_at: Generated<Date | null>;
  clock_fault: Generated<boolean>;
}
