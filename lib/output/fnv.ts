// Pure. FNV-1a: short, stable names for texts of any length. Not for secrets: it is easily collided on purpose.

/** Offset basis in limbs of 16 bits, lowest first; the prime is `2 ** (16 * limb + 8) + low`. Source: draft-eastlake-fnv. */
const PARAMETERS = {
  64: { basis: [0x2325, 0x8422, 0x9ce4, 0xcbf2], limb: 2, low: 0x1b3 },
  128: { basis: [0xc58d, 0x6295, 0x2175, 0x62b8, 0x0142, 0x07bb, 0x272e, 0x6c62], limb: 5, low: 0x13b },
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
  const { basis, limb, low } = PARAMETERS[bits];
  let hash = Uint16Array.from(basis);
  let next = new Uint16Array(basis.length);
  for (const byte of encoder.encode(text)) {
    hash[0] ^= byte;
    let carry = 0;
    for (let at = 0; at < hash.length; at++) {
      const sum = hash[at] * low + (at < limb ? 0 : hash[at - limb] << 8) + carry;
      next[at] = sum;
      carry = sum >>> 16;
    }
    [hash, next] = [next, hash];
  }
  return Array.from(hash, (part) => part.toString(16).padStart(4, "0")).reverse().join("");
}
