/**
 * The declaration of a resource: what its contract, table, queries, export, list and form have in common. It is data
 * without a schema library, so that the console can import it. README.md beside it explains how it is used.
 */
export interface Resource {
  /** the fields that users enter, in the order in which they are shown where nothing else is decided */
  fields: Fields;
  /** the filters of its list, by name */
  filters: Readonly<Record<string, FilterKind>>;
  /** the fields by which its list can be sorted */
  sorts: readonly string[];
}

/** How a filter is read: any text, a number, a time (ISO 8601), `true` or `false`, or one of the listed values. */
export type FilterKind = 'text' | 'number' | 'time' | 'flag' | readonly (string | number)[];

export type Fields = Readonly<Record<string, Field>>;

export type Field = TextField | DayField | FlagField | NumberField | PictureField;

/** What every field has: its name in both languages, and where it is shown. */
interface Shown {
  en: string;
  zh: string;
  /** the width of its column in exports, in characters; without it, it is not exported */
  width?: number;
  /** its column in lists; `optional`: hidden until a user shows it; without it, it has none */
  list?: 'shown' | 'optional';
}

/** A text, without surrounding blanks, of one line or several. Empty when nothing was entered. */
export interface TextField extends Shown {
  kind: 'text' | 'lines';
  /** its maximum length in characters */
  max: number;
  required?: true;
}

/** A calendar day, `yyyy-MM-dd`. */
export interface DayField extends Shown {
  kind: 'day';
}

export interface FlagField extends Shown {
  kind: 'flag';
}

export interface NumberField extends Shown {
  kind: 'number';
  min: number;
  max: number;
}

/** The key of a picture in the object store. */
export interface PictureField extends Shown {
  kind: 'picture';
}

/** The value of a field, in the API and in the server. */
export type ValueOf<F extends Field> = F extends TextField
  ? string
  : F extends FlagField
    ? boolean
    : F extends NumberField
      ? number | null
      : string | null;

/** The values of all fields. */
export type ValuesOf<F extends Fields> = { -readonly [K in keyof F]: ValueOf<F[K]> };

/** The names of the fields in both languages, for messages and the action log. */
export function labelsOf(fields: Fields): Record<string, { en: string; zh: string }> {
  return Object.fromEntries(Object.entries(fields).map(([name, { en, zh }]) => [name, { en, zh }]));
}
