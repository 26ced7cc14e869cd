import type { VNode } from "preact";

import { useWords } from "../page";
import type { Spot } from "../spot";
import { Leaf } from "./leaf";

/** A card's heading; until it has words, a screen reader hears that they are being written. */
export function Heading({ spot }: { spot: Spot }): VNode {
  const { phases } = useWords();
  return (
    <h2 dir="auto" aria-label={spot.awaited ? phases.writing : undefined}>
      <Leaf spot={spot} size="long" />
    </h2>
  );
}
