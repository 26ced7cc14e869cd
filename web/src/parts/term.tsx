import type { VNode } from "preact";

import type { Spot } from "../spot";
import { Leaf } from "./leaf";

/** A word of a fixed set: in the reader's language, beside the word that the value holds. */
export function Term({ spot, names }: { spot: Spot; names: Readonly<Record<string, string>> }): VNode {
  const known = typeof spot.value === "string" && Object.hasOwn(names, spot.value) ? names[spot.value] : "";
  return (
    <>
      {known && <span>{known} </span>}
      <span class={known ? "unit" : undefined}>
        <Leaf spot={spot} />
      </span>
    </>
  );
}
