import type { VNode } from "preact";

import { stringify } from "../exact";
import type { Spot } from "../spot";
import { useMark } from "./marks";

export interface LeafProps {
  readonly spot: Spot;
  /** Width of the bar that stands for what has not arrived; a class of `card.css`. */
  readonly size?: "short" | "middle" | "long";
  readonly linked?: boolean;
}

/** One value, exactly as it is; a bar while it is awaited, a dash where it never came. */
export function Leaf({ spot, size = "middle", linked = false }: LeafProps): VNode {
  const { value } = spot;
  const mark = useMark(spot);
  if (spot.awaited) return <span class={`skeleton ${size}`} data-skeleton aria-hidden="true" />;
  if (value === undefined) return <span class="none">—</span>;
  if (value === null) {
    return (
      <>
        <bdi class="unseen" data-path={spot.pointer} {...mark}>
          null
        </bdi>
        <span class="none" aria-hidden="true">
          —
        </span>
      </>
    );
  }
  const text = typeof value === "string" ? value : stringify(value);
  const address = linked && spot.closed ? webAddress(text) : null;
  if (address !== null) {
    return (
      <a href={address} target="_blank" rel="noopener noreferrer nofollow" data-path={spot.pointer} {...mark}>
        {text}
      </a>
    );
  }
  return (
    <bdi data-path={spot.pointer} data-open={spot.open && typeof value === "string" ? "" : undefined} {...mark}>
      {text}
    </bdi>
  );
}

/** The address that a text is, where it is one of the web and hides no name in front of the host. */
export function webAddress(text: string): string | null {
  if (!/^https?:\/\/[^\s\\]+$/i.test(text) || !URL.canParse(text)) return null;
  const url = new URL(text);
  return url.username === "" && url.password === "" ? url.href : null;
}
