import type { VNode } from "preact";

import { isObject } from "../json";
import { useWords } from "../page";
import { Heading } from "../parts/heading";
import { Leaf } from "../parts/leaf";
import { still } from "../parts/still";
import type { Schema } from "../project";
import { fieldsOf, kindOf, label, resolve, under } from "../schema";
import type { Spot } from "../spot";
import type { CardProps } from "./card";

interface Place {
  readonly spot: Spot;
  readonly schema: Schema;
  readonly root: Schema;
}

/** A card for any tool, made from its JSON Schema: its first text is the heading. */
export function Generic({ spot, schema: root = {} }: CardProps): VNode {
  const schema = resolve(root, root);
  const keys = fieldsOf(schema, spot.keys).filter((key) => isShown(spot, key));
  const heading = keys.find((key) => isText(spot.at(key), under(root, schema, key)));
  const rest = keys.filter((key) => key !== heading);
  return (
    <>
      {heading !== undefined && <Heading spot={spot.at(heading)} />}
      <Fields keys={rest} spot={spot} schema={schema} root={root} />
    </>
  );
}

function Fields({ keys, spot, schema, root }: Place & { keys: readonly string[] }): VNode {
  return (
    <dl class="fields">
      {keys.map((key) => {
        const field = under(root, schema, key);
        const place = { spot: spot.at(key), schema: field, root };
        return (
          <div key={key} class={isBranch(place) ? "branch" : undefined}>
            <dt>{label(field, key)}</dt>
            <dd>
              <Value {...place} />
            </dd>
          </div>
        );
      })}
    </dl>
  );
}

const Value = still(({ spot, schema, root }: Place): VNode => {
  const kind = kindOf(schema);
  if (Array.isArray(spot.value) || (kind === "array" && spot.awaited)) return <List spot={spot} schema={schema} root={root} />;
  if (isObject(spot.value) || (kind === "object" && spot.awaited && spot.path.length < 4)) {
    const keys = fieldsOf(schema, spot.keys).filter((key) => isShown(spot, key));
    return <Fields keys={keys} spot={spot} schema={schema} root={root} />;
  }
  return <Leaf spot={spot} size={kind === "string" ? "long" : "short"} linked />;
});

function List({ spot, schema, root }: Place): VNode {
  const words = useWords();
  const items = spot.items;
  if (spot.closed && items.length === 0) return <span class="none">{words.nothing}</span>;
  const shown = items.length > 0 ? items : [spot.at(0)];
  const groups = shown.some((item) => isBranch({ spot: item, schema: under(root, schema, 0), root }));
  return (
    <ul class={groups ? "groups" : "items"}>
      {shown.map((item, index) => (
        <li key={index} dir="auto">
          <Value spot={item} schema={under(root, schema, index)} root={root} />
        </li>
      ))}
    </ul>
  );
}

function isBranch({ spot, schema }: Place): boolean {
  return (typeof spot.value === "object" && spot.value !== null) || ["array", "object"].includes(kindOf(schema));
}

function isText(spot: Spot, schema: Schema): boolean {
  return spot.value === undefined ? kindOf(schema) === "string" : typeof spot.value === "string" && kindOf(schema) !== "word";
}

/** Fields that never came are left out once nothing more comes. */
function isShown(spot: Spot, key: string): boolean {
  return spot.at(key).value !== undefined || spot.at(key).awaited;
}
