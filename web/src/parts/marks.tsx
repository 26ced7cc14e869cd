import { createContext } from "preact";
import { useContext } from "preact/hooks";

import type { Spot } from "../spot";
import type { Turn } from "../turn";

/** Which places of a card are marked, and as what. */
export interface Marks {
  readonly name: "data-doubt" | "data-problem";
  readonly pointers: ReadonlySet<string>;
}

export const MarksContext = createContext<Marks>({ name: "data-doubt", pointers: new Set() });

/** Faults are marked once the call is over; before that they are doubts, which nobody sees. */
export function marksOf(turn: Turn): Marks {
  if (turn.state === "generating") return { name: "data-doubt", pointers: turn.doubts };
  const pointers = turn.state === "invalid" ? turn.errors.map((error) => error.pointer) : [];
  return { name: "data-problem", pointers: new Set(pointers) };
}

/** The attribute of a marked place. */
export function useMark(spot: Spot): Record<string, string> {
  const { name, pointers } = useContext(MarksContext);
  return pointers.has(spot.pointer) ? { [name]: "" } : {};
}
