import type { VNode } from "preact";
import { useMemo } from "preact/hooks";

import { bodyOf } from "../cards";
import { usePage } from "../page";
import { MarksContext, marksOf } from "./marks";
import { Spot } from "../spot";
import type { Turn } from "../turn";

/** What a render call shows, drawn by the card of its tool. */
export function Card({ turn, isEarlier = false }: { turn: Turn; isEarlier?: boolean }): VNode {
  const { project } = usePage().store.state;
  const isWriting = turn.state === "generating";
  const tool = turn.tool ?? project.tool ?? "";
  const spot = Spot.root(turn.value, turn.openPath, !isWriting);
  const Body = bodyOf(tool);
  const marks = useMemo(() => marksOf(turn), [turn.state, turn.doubts, turn.errors]);
  return (
    <article
      data-card
      data-tool={tool}
      data-state={turn.state}
      data-earlier={isEarlier ? "" : undefined}
      data-agrees={turn.agrees ?? undefined}
      aria-busy={isWriting}
    >
      <MarksContext.Provider value={marks}>
        {(isWriting || turn.value !== undefined) && <Body spot={spot} schema={project.schemas.get(tool)} />}
      </MarksContext.Provider>
    </article>
  );
}
