/** ComponentType of OCPP 2.0.1 part 2 §2.16. */
export interface Component {
  name: string;
  instance?: string;
  evse?: { id: number; connectorId?: number };
}

/** VariableType of OCPP 2.0.1 part 2 §2.52. */
export interface Variable {
  name: string;
  instance?: string;
}

/** The maximum lengths in a key, as it is stored. */
export const KEY_CHARACTERS = 255;

/** Characters that have a meaning in the key itself. */
const SIGNS = /[%.@()]/g;

/**
 * The key of a variable: `Component[(instance)][@evse[.connector]].Variable[(instance)]`, for example
 * `OCPPCommCtrlr.HeartbeatInterval`, `EVSE@1.Power` or `Connector@1.2.ConnectorType`. Characters of the key syntax in a
 * name are percent-encoded.
 */
export function variableKey(component: Component, variable: Variable): string {
  const { evse } = component;
  const connector = evse?.connectorId === undefined ? '' : `.${evse.connectorId}`;
  const place = evse === undefined ? '' : `@${evse.id}${connector}`;
  return `${nameOf(component)}${place}.${nameOf(variable)}`;
}

/** The key of a variable without its EVSE: quantities have the same name on all EVSEs. */
export function quantityKey(component: Component, variable: Variable): string {
  return `${nameOf(component)}.${nameOf(variable)}`;
}

const PART = '((?:[^%.@()]|%[0-9A-F]{2})+)';
const KEY = new RegExp(
  `^${PART}(?:\\(${PART}\\))?(?:@(\\d{1,5})(?:\\.(\\d{1,5})(?=\\.|$))?)?(?:\\.${PART}(?:\\(${PART}\\))?)?$`,
);

/**
 * Component and variable of a key. Without a variable when the key names only a component; null when it is not a key.
 */
export function readKey(key: string): { component: Component; variable: Variable | null } | null {
  const [, name, instance, evse, connector, variable, of] = KEY.exec(key) ?? [];
  if (name === undefined) return null;
  // `X@1.2` may be variable 2 of EVSE 1 or connector 2 of it. Without anything after it, 2 is the variable.
  const bare = connector !== undefined && variable === undefined;
  const place = evse === undefined ? null : { id: Number(evse) };
  return {
    component: {
      name: plainOf(name),
      ...(instance === undefined ? {} : { instance: plainOf(instance) }),
      ...(place
        ? { evse: connector === undefined || bare ? place : { ...place, connectorId: Number(connector) } }
        : {}),
    },
    variable: bare
      ? { name: connector }
      : variable === undefined
        ? null
        : { name: plainOf(variable), ...(of === undefined ? {} : { instance: plainOf(of) }) },
  };
}

function nameOf({ name, instance }: { name: string; instance?: string }): string {
  return instance === undefined || instance === '' ? coded(name) : `${coded(name)}(${coded(instance)})`;
}

function coded(text: string): string {
  return text.replaceAll(SIGNS, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}

function plainOf(text: string): string {
  return text.replaceAll(/%([0-9A-F]{2})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}
