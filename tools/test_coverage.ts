// Runs the test suite and prints which lines of lib/ it ran: `deno task test-coverage`. Runs that a test killed in the
// middle of writing what they covered count for nothing.
const folder = new URL("../dist/coverage/", import.meta.url);

function deno(...args: string[]): boolean {
  const child = new Deno.Command(Deno.execPath(), { args, stdin: "null", stdout: "inherit", stderr: "inherit" });
  return child.outputSync().success;
}

function isWhole(file: URL): boolean {
  try {
    JSON.parse(Deno.readTextFileSync(file));
    return true;
  } catch {
    return false;
  }
}

const permissions = ["--no-prompt", "--allow-read", "--allow-write", "--allow-env", "--allow-run"];
const kept = `--coverage=${folder.pathname}`;
const flags = ["--quiet", "--lock=deno.lock", ...permissions, "--doc", "--parallel", "--clean", kept];
const succeeded = deno("test", ...flags, "--coverage-raw-data-only", "mod.ts", "lib", "tests");
for (const { name, isFile } of [...Deno.readDirSync(folder)]) {
  const file = new URL(name, folder);
  if (isFile && !isWhole(file)) Deno.removeSync(file);
}
const printed = deno("coverage", "--quiet", "--include=/lib/", folder.pathname);
if (!succeeded || !printed) Deno.exit(1);
