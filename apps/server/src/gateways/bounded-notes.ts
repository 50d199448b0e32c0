/** The maximum number of notes for a message. The same fault often affects a thousand values. */
const MOST_NOTES = 8;

/** Notes about a message, each once. Further ones are only counted. */
export class BoundedNotes {
  readonly list: string[] = [];
  #more = 0;

  add(note: string): void {
    if (this.list.includes(note)) return;
    if (this.list.length < MOST_NOTES) this.list.push(note);
    else {
      this.#more += 1;
      this.list[MOST_NOTES] = `and ${this.#more} more`;
    }
  }
}
