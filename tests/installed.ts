// Which programs of the system a test may use. Tests that need one which is missing are skipped by name.

/** Whether `program` can be started. */
export async function installed(program: string): Promise<boolean> {
  try {
    const { success } = await new Deno.Command("sh", {
      args: ["-c", 'command -v "$1"', "sh", program],
      stdout: "null",
      stderr: "null",
    }).output();
    return success;
  } catch {
    return false;
  }
}
