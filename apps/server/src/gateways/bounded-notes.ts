/** The number of notes for a message unless it says otherwise. The same fault often affects a thousand values. */
const MOST_NOTES = 8;

/** Notes about a message, each once. Further ones are only counted. */
export class BoundedNotes {
  readonly list: string[] = [];
  readonly #most: number;
  #more = 0;

  constructor(most = MOST_NOTES) {
    this.#most = most;
  }

  add(note: string): void {
    if (this.list.includes(note)) return;
    if (this.list.length < this.#most) this.list.push(note);
    else {
      this.#more += 1;
      this.list[this.#most] = `and ${this.#more} more`;
    }
  }
}
