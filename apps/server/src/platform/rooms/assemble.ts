import type { Kysely } from 'kysely';
import type { Bus } from '../bus/bus.ts';
import type { Clock } from '../clock.ts';
import type { DatabaseConnection } from '../database/connect.ts';
import type { Database } from '../database/schema.ts';
import type { Measure } from '../http/health.ts';
import type { Log } from '../log.ts';
import type { Node } from '../nodes/node.ts';
import { type GatewayRoutes, type Room, startRooms } from '../room.ts';

/**
 * What rooms provide to each other, by name. These parts exist before any room; a room that provides another one adds its
 * type beside its declaration.
 */
export interface Parts {
  database: DatabaseConnection;
  db: Kysely<Database>;
  pool: DatabaseConnection['pool'];
  bus: Bus;
  node: Node;
  clock: Clock;
  log: Log;
  /** of the product */
  version: string;
}

export type PartName = keyof Parts;

/** What `open` receives: the parts that a room needs, and a function for each part that it needs later. */
export type Needed<Needs extends PartName, Later extends PartName = never> = Pick<Parts, Needs> & {
  [Name in Later]: () => Parts[Name];
};

/** What a room needs, what it provides, and how it is opened. */
export interface Declaration<
  Needs extends PartName = PartName,
  Later extends PartName = PartName,
  Provides extends PartName = PartName,
  Name extends string = string,
> {
  name: Name;
  needs: readonly Needs[];
  /** parts that may open after this room: it uses them only while it runs, so they may need this room */
  later?: readonly Later[];
  provides?: readonly Provides[];
  /** Creates the room and its parts without starting anything. */
  open(parts: Needed<Needs, Later>): Opened<NoInfer<Provides>> | Promise<Opened<NoInfer<Provides>>>;
}

/** A room with the figures that it adds to `/metrics`. */
export interface OpenRoom extends Room, GatewayRoutes {
  measures?: readonly Measure[];
}

type Opened<Provides extends PartName> = Omit<OpenRoom, 'name'> & Pick<Parts, Provides>;

/** A declaration whose names and types the compiler checks against `Parts`. */
export function declareRoom<
  const Needs extends PartName,
  const Later extends PartName = never,
  const Provides extends PartName = never,
  const Name extends string = string,
>(declaration: Declaration<Needs, Later, Provides, Name>): Declaration<Needs, Later, Provides, Name> {
  return declaration;
}

type Names = Partial<Record<'later' | 'provides', readonly PartName[]>> & { name: string; needs: readonly PartName[] };

/** A declaration with any needs. */
export interface AnyRoom extends Names {
  open(parts: never): object | Promise<object>;
}

type Wanted<Rooms extends readonly Names[]> =
  | Rooms[number]['needs'][number]
  | NonNullable<Rooms[number]['later']>[number];
type Provided<Rooms extends readonly Names[]> = NonNullable<Rooms[number]['provides']>[number];

/** Rooms that provide all that they need, with `Given`; otherwise a type that names what nothing provides. */
export type Complete<Rooms extends readonly Names[], Given> = [
  Exclude<Wanted<Rooms>, Provided<Rooms> | keyof Given>,
] extends [never]
  ? unknown
  : { nothingProvides: Exclude<Wanted<Rooms>, Provided<Rooms> | keyof Given> };

/**
 * Opens rooms, each after those that provide what it needs.
 * @param given the parts that exist already
 * @returns the rooms in the order of `declarations`, in which they start, and all parts
 * @throws with one sentence that names the rooms if a part has no provider or two, or if rooms need each other; with the
 *   error of the room that could not be opened, after the opened ones are stopped
 */
export async function openRooms<const Rooms extends readonly AnyRoom[], Given extends Partial<Parts>>(
  declarations: Rooms & Complete<Rooms, Given>,
  given: Given,
): Promise<{ rooms: OpenRoom[]; parts: Given & Pick<Parts, Provided<Rooms>> }> {
  const parts = new Map<string, unknown>(Object.entries(given));
  const opened: OpenRoom[] = [];
  try {
    for (const declaration of openingOrder(declarations, Object.keys(given))) {
      const { name, needs, later = [], provides = [] } = declaration;
      const needed: Record<string, unknown> = Object.fromEntries(needs.map((part) => [part, parts.get(part)]));
      for (const part of later) needed[part] = () => partLater(parts, name, part);
      const room = { ...(await declaration.open(needed as never)), name } as OpenRoom & Record<string, unknown>;
      for (const part of provides) parts.set(part, room[part]);
      opened.push(room);
    }
  } catch (error) {
    const stop = await startRooms(opened, new Set());
    await stop().catch(() => undefined);
    throw error;
  }
  const places = new Map(declarations.map(({ name }, place) => [name, place]));
  return {
    rooms: opened.sort((a, b) => places.get(a.name)! - places.get(b.name)!),
    parts: Object.fromEntries(parts) as Given & Pick<Parts, Provided<Rooms>>,
  };
}

function partLater(parts: ReadonlyMap<string, unknown>, room: string, part: string): unknown {
  if (!parts.has(part)) throw new Error(`The room "${room}" used ${part}, which is not open.`);
  return parts.get(part);
}

/**
 * Rooms in an order in which each follows those that provide what it needs; otherwise in their own order.
 * @throws with one sentence if there is none
 */
export function openingOrder<Room extends Names>(rooms: readonly Room[], given: readonly string[] = []): Room[] {
  const providers = new Map<string, Room>();
  for (const room of rooms) {
    for (const part of room.provides ?? []) {
      const other = providers.get(part)?.name ?? (given.includes(part) ? 'the process' : undefined);
      if (other !== undefined) throw new Error(`Both "${other}" and "${room.name}" provide ${part}.`);
      providers.set(part, room);
    }
  }
  const order = new Set<Room>();
  const visit = (room: Room, path: readonly Room[]) => {
    if (order.has(room)) return;
    if (path.includes(room)) {
      const circle = [...path.slice(path.indexOf(room)), room].map(({ name }) => `"${name}"`);
      throw new Error(`Rooms need each other: ${circle.join(' needs ')}. Make one of these parts \`later\`.`);
    }
    for (const part of room.needs) {
      const provider = providers.get(part);
      if (provider) visit(provider, [...path, room]);
      else if (!given.includes(part)) throw new Error(`The room "${room.name}" needs ${part}, which no room provides.`);
    }
    order.add(room);
  };
  for (const room of rooms) visit(room, []);
  return [...order];
}

/** The rooms with these names and those that provide what they need, in the order of `rooms`. */
export function withNeeds<Room extends Names>(rooms: readonly Room[], names: readonly string[]): Room[] {
  const wanted = new Set<Room>();
  const add = (room: Room | undefined) => {
    if (!room || wanted.has(room)) return;
    wanted.add(room);
    for (const part of room.needs) add(rooms.find(({ provides }) => provides?.includes(part)));
  };
  for (const name of names) {
    const room = rooms.find((one) => one.name === name);
    if (!room) throw new Error(`There is no room "${name}".`);
    add(room);
  }
  return rooms.filter((room) => wanted.has(room));
}
