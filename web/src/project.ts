/** What the server can run and show. */

import { isObject, type Json, type JsonObject } from "./json";

export type Schema = JsonObject;

export interface Project {
  /** The graph that the page runs. */
  readonly graph: string;
  /** JSON Schemas of what may be shown, by tool name. */
  readonly schemas: ReadonlyMap<string, Schema>;
  /** The tool that the graph shows first of all; null where nobody told. */
  readonly tool: string | null;
  /** Whether the graph sends render frames. */
  readonly sendsFrames: boolean;
  /** Whether the server has our app, which reads threads for us. */
  readonly hasApp: boolean;
}

/** Read `schemas.json`; a server without it runs the graph that the address names. */
export function projectFrom(told: JsonObject | null, wanted: string | null): Project {
  const graphs = list(told?.graphs).filter(isObject);
  const graph = graphs.find((one) => one.name === wanted) ?? (wanted === null ? graphs[0] : undefined);
  const schemas = isObject(told?.tools) ? told.tools : {};
  const tool = list(graph?.tools)[0];
  return {
    graph: String(graph?.name ?? wanted ?? "agent"),
    schemas: new Map(Object.entries(schemas).filter((entry): entry is [string, Schema] => isObject(entry[1]))),
    tool: typeof tool === "string" ? tool : null,
    sendsFrames: graph !== undefined && graph.frames !== false,
    hasApp: told !== null,
  };
}

/** Whether a tool's calls are to be shown. */
export function isRenderTool(project: Project, name: string): boolean {
  return project.schemas.size > 0 ? project.schemas.has(name) : name.startsWith("render_");
}

function list(value: Json | undefined): Json[] {
  return Array.isArray(value) ? value : [];
}
