/** The units of one kind of quantity, in the notation of OCPP (1.6 §7.45, 2.0.1 appendix 2). */
const KINDS: readonly (readonly string[])[] = [
  ['Wh', 'kWh', 'varh', 'kvarh', 'VAh', 'kVAh'],
  ['W', 'kW', 'VA', 'kVA', 'var', 'kvar'],
  ['A'],
  ['V'],
  ['Celsius', 'Celcius', 'Fahrenheit', 'K'],
  ['Percent'],
  ['Hz'],
];
const KIND_OF: ReadonlyMap<string, number> = new Map(KINDS.flatMap((units, kind) => units.map((unit) => [unit, kind])));

/** The first part of the measurands of OCPP (1.6 §7.31), and a unit of its kind. */
const QUANTITIES: ReadonlyMap<string, string> = new Map([
  ...[['Energy', 'Wh'] as const, ['Power', 'W'] as const, ['Current', 'A'] as const, ['Voltage', 'V'] as const],
  ...[['Temperature', 'Celsius'] as const, ['SoC', 'Percent'] as const, ['Frequency', 'Hz'] as const],
]);

/**
 * Why a unit cannot be that of a quantity, as volts for an energy; null if it can. Quantities and units that OCPP does
 * not define, and offered values, which may be a power or a current, are not judged.
 */
export function unitProblem(quantity: string, unit: string | undefined): string | null {
  const [first = '', second] = quantity.split('.', 2);
  const expected = QUANTITIES.get(first);
  const kind = KIND_OF.get(unit ?? '');
  if (expected === undefined || kind === undefined || second === 'Factor' || second === 'Offered') return null;
  return kind === KIND_OF.get(expected) ? null : `${unit} is not a unit of ${quantity.slice(0, 60)}`;
}
