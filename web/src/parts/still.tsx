import { Component, type FunctionComponent, type VNode } from "preact";

import type { Spot } from "../spot";

interface WithSpot {
  readonly spot: Spot;
}

/** What has closed never changes: such a part of a card is drawn once, whatever else arrives. */
export function still<P extends WithSpot>(Draw: FunctionComponent<P>): new (props: P) => Component<P> {
  return class Still extends Component<P> {
    override shouldComponentUpdate(next: Readonly<P>): boolean {
      const { props } = this;
      const names = Object.keys(next) as (keyof P)[];
      return names.some((name) => !(name === "spot" ? next.spot.same(props.spot) : next[name] === props[name]));
    }

    override render(props: P): VNode {
      return <Draw {...props} />;
    }
  };
}
