/** Fixed limits on the args of a render call; those of `rendercall.contract.bounds`. */

export interface Bounds {
  /** Size of the text in UTF-8. */
  readonly maxBytes: number;
  /** Nesting of objects and arrays; the root is depth 1. */
  readonly maxDepth: number;
  /** Characters (code points) in one string or key. */
  readonly maxString: number;
  /** Entries of one array or object. */
  readonly maxItems: number;
  /** Values in the whole document, the root included. */
  readonly maxNodes: number;
  /** Characters in one number. */
  readonly maxNumber: number;
}

export const BOUNDS: Bounds = {
  maxBytes: 1_048_576,
  maxDepth: 64,
  maxString: 262_144,
  maxItems: 10_000,
  maxNodes: 100_000,
  maxNumber: 128,
};

/** For what our own server writes: it kept the bounds already. */
export const UNBOUNDED: Bounds = {
  maxBytes: Infinity,
  maxDepth: Infinity,
  maxString: Infinity,
  maxItems: Infinity,
  maxNodes: Infinity,
  maxNumber: Infinity,
};

/** The length in code points, as Python counts it. */
export function codePoints(text: string): number {
  const pairs = text.match(/[\ud800-\udbff][\udc00-\udfff]/g);
  return text.length - (pairs?.length ?? 0);
}

/** Bytes of the text in UTF-8. */
export function utf8Bytes(text: string): number {
  return new TextEncoder().encode(text).length;
}
