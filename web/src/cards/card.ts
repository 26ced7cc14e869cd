/** What a card is: one file of this folder that exports `card`. */

import type { FunctionComponent } from "preact";

import type { Json } from "../json";
import type { Schema } from "../project";
import type { Spot } from "../spot";
import type { Welcome, Words } from "../words";

export interface CardProps {
  /** The value, as far as it has arrived. */
  readonly spot: Spot;
  /** The JSON Schema of the whole value; undefined where the server told none. */
  readonly schema: Schema | undefined;
}

export interface CardModule {
  /** Name of the render tool whose calls it draws. */
  readonly tool: string;
  readonly Body: FunctionComponent<CardProps>;
  /** Names of fields by key, where those of the schema do not serve. */
  readonly names?: (words: Words) => Readonly<Record<string, string>>;
  /** What the page says before anything was asked, where this is what its graph shows. */
  readonly welcome?: (words: Words) => Welcome;
  /** A finished value as Markdown, where the one made from the schema does not serve. */
  readonly markdown?: (value: Json, words: Words) => string;
}
