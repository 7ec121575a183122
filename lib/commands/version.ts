// IO: reads what the build left in the binary. What `vigil --version` prints.
import config from "../../deno.json" with { type: "json" };

/** Set by tools/compile.ts in the bundle; absent when run from source. */
declare global {
  var vigilBuild: { readonly commit: string } | undefined;
}

/** Version, commit, runtime and target, on one line. */
export function versionText(): string {
  const commit = globalThis.vigilBuild?.commit ?? "source";
  return `vigil ${config.version} (${commit}) deno ${Deno.version.deno} ${Deno.build.target}\n`;
}
