import type { Caller } from '../platform/http/caller.ts';

/** The result of a change of a row's picture. */
export interface ChangedPicture {
  /** for the row: its key, null for none; undefined when it is unchanged */
  key: string | null | undefined;
  /** Call this when the change is committed: removes the upload and the previous picture. Never fails. */
  settle(): Promise<void>;
}

/** A row's picture and the entered value: an upload of the caller, null for none, undefined for no change. */
export interface EnteredPicture {
  /** the field name for problems */
  field: string;
  entered: string | null | undefined;
  current: string | null;
  /** the customer of the row, whose users see the picture; null: every signed-in user does */
  customerId: number | null;
  /** the allowed file types (spec §9); pictures by default */
  purpose?: 'image' | 'icon';
}

/** How modules store pictures of their rows. */
export interface Pictures {
  /**
   * Copies an upload of the caller to a place that only the server writes to, and checks the content of the copy (spec
   * §9).
   * @throws {Problem} with the field, when it is not their upload or not a picture
   */
  change(caller: Caller, picture: EnteredPicture): Promise<ChangedPicture>;
  /** Copies a picture to where another customer's users see it. */
  move(current: string | null, customerId: number): Promise<ChangedPicture>;
}
