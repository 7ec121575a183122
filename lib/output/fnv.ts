// Pure. FNV-1a: short, stable names for texts of any length. Not for secrets: it is easily collided on purpose.

/** Offset basis and prime, by the bits of the hash. Source: draft-eastlake-fnv. */
const PARAMETERS = {
  64: [0xcbf29ce484222325n, 0x100000001b3n],
  128: [0x6c62272e07bb014262b821756295c58dn, 0x1000000000000000000013bn],
} as const;

const encoder = new TextEncoder();

/**
 * The hash of `text` in UTF-8, as lower-case hexadecimal digits, `bits / 4` of them.
 *
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { fnv1a } from "./fnv.ts";
 * assertEquals(fnv1a("foobar", 64), "85944171f73967e8");
 * ```
 */
export function fnv1a(text: string, bits: keyof typeof PARAMETERS): string {
  const [basis, prime] = PARAMETERS[bits];
  let hash: bigint = basis;
  for (const byte of encoder.encode(text)) hash = BigInt.asUintN(bits, (hash ^ BigInt(byte)) * prime);
  return hash.toString(16).padStart(bits / 4, "0");
}
