import type { GeneratedAlways } from 'kysely';
import type { Json } from '../database/json.ts';
import type { ReplicaState } from '../database/replica/replica.ts';

declare module '../database/schema.ts' {
  interface Database {
    nodes: NodesTable;
  }
}

interface NodesTable {
  epoch: GeneratedAlways<number>;
  name: string;
  folder: string | null;
  roles: string[];
  version: string;
  addresses: string[];
  shareable: boolean;
  bus: BusKind;
  session: string;
  started_at: Date;
  renewed_at: Date;
  renewals: number;
  load: Json<NodeLoad>;
  ended_at: Date | null;
  end_reason: NodeEnd | null;
  cleared_at: Date | null;
}

/** What carries the messages between nodes. */
export type BusKind = 'postgres' | 'nats';

/** Why a node ended: it stopped, a process on its data folder took its place, or it stopped renewing its lease. */
export type NodeEnd = 'left' | 'replaced' | 'expired';

/** What a node carries. */
export interface NodeLoad {
  /** of clients other than browsers */
  connections: number;
  /** live streams of consoles */
  streams: number;
  memoryBytes: number;
  /** null: it has no read replica */
  replica: { state: ReplicaState; lagSeconds: number | null } | null;
}
