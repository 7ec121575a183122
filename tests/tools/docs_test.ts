// Generated documentation is what its tables make of it today.
import { assertEquals } from "@std/assert";
import { GENERATED } from "../../tools/docs.ts";
import { ROOT } from "../source_files.ts";

for (const [path, text] of Object.entries(GENERATED)) {
  Deno.test(`${path} is up to date; "deno task docs" writes it`, () => {
    assertEquals(Deno.readTextFileSync(ROOT + path), text());
  });
}
