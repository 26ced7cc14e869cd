/** A place of the value that a card shows: what is there, and whether more may come. */

import { child, isObject, type Json, type Key, type Path, pointer } from "./json";

export class Spot {
  private constructor(
    /** What has arrived; undefined where nothing has. */
    readonly value: Json | undefined,
    readonly path: Path,
    /** The open path from here on; null where nothing here is open. */
    private readonly rest: Path | null,
    /** Whether nothing more will come here. */
    readonly over: boolean,
  ) {}

  static root(value: Json | undefined, openPath: Path | null, over: boolean): Spot {
    return new Spot(value, [], over ? null : openPath, over);
  }

  /** Whether it may still grow. */
  get open(): boolean {
    return this.rest !== null;
  }

  /** Whether it has not begun, and still may. */
  get awaited(): boolean {
    return this.value === undefined && !this.over;
  }

  /** Whether all of it is there: it never changes again. */
  get closed(): boolean {
    return this.value !== undefined && !this.open;
  }

  get pointer(): string {
    return pointer(this.path);
  }

  at(key: Key): Spot {
    const leads = this.rest !== null && this.rest[0] === key;
    const rest = leads ? this.rest!.slice(1) : null;
    return new Spot(child(this.value, key), [...this.path, key], rest, this.over || this.closed);
  }

  /** The items of an array; none of anything else. */
  get items(): Spot[] {
    return Array.isArray(this.value) ? this.value.map((_, index) => this.at(index)) : [];
  }

  get keys(): string[] {
    return isObject(this.value) ? Object.keys(this.value) : [];
  }

  /** Whether drawing this instead of `other` would change nothing: closed things stay as they are. */
  same(other: Spot): boolean {
    return this.value === other.value && this.closed && other.closed && this.over === other.over;
  }
}
