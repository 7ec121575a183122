// What can stand at a heartbeat's path: each way it may be set up, and what is there afterwards.

/** The name of a set-up, and how to make it: `folder` is an existing folder, `file` the heartbeat's path in it. */
export interface Place {
  readonly name: string;
  make(folder: string, file: string): Promise<void> | void;
}

const GOOD = "ts=1800000000\npid=7\ncli=c\nsession=s\n";

/** Makes the folder that `file` stands in, and answers `file`. */
function inFolder(file: string): string {
  Deno.mkdirSync(file.slice(0, file.lastIndexOf("/")), { recursive: true });
  return file;
}

async function fifo(path: string): Promise<void> {
  const { success } = await new Deno.Command("mkfifo", { args: [path] }).output();
  if (!success) throw new Error("mkfifo failed");
}

/** Every set-up that needs no rights beyond a user's own. */
export const PLACES: readonly Place[] = [
  { name: "no folder", make: () => {} },
  { name: "no file", make: (_, file) => void inFolder(file) },
  { name: "a file", make: (_, file) => Deno.writeTextFileSync(inFolder(file), GOOD) },
  { name: "a directory", make: (_, file) => Deno.mkdirSync(inFolder(file)) },
  {
    name: "a directory with a file in it",
    make: (_, file) => {
      Deno.mkdirSync(inFolder(file));
      Deno.writeTextFileSync(`${file}/inner`, GOOD);
    },
  },
  { name: "a FIFO", make: (_, file) => fifo(inFolder(file)) },
  {
    name: "a link to a file",
    make: (folder, file) => {
      Deno.writeTextFileSync(`${folder}/target`, GOOD);
      Deno.symlinkSync(`${folder}/target`, inFolder(file));
    },
  },
  { name: "a dangling link", make: (folder, file) => Deno.symlinkSync(`${folder}/target`, inFolder(file)) },
  { name: "a link to itself", make: (_, file) => Deno.symlinkSync(file, inFolder(file)) },
  {
    name: "a link to a directory",
    make: (folder, file) => {
      Deno.mkdirSync(`${folder}/target`);
      Deno.symlinkSync(`${folder}/target`, inFolder(file));
    },
  },
  {
    name: "a link to a FIFO",
    make: async (folder, file) => {
      await fifo(`${folder}/target`);
      Deno.symlinkSync(`${folder}/target`, inFolder(file));
    },
  },
  {
    name: "a parent that is a file",
    make: (_, file) => Deno.writeTextFileSync(file.slice(0, file.lastIndexOf("/")), GOOD),
  },
];

/** What is at `path`, without following a link, and with a file's own text so that a change shows. */
export function kindAt(path: string): string {
  let info: Deno.FileInfo;
  try {
    info = Deno.lstatSync(path);
  } catch {
    return "nothing";
  }
  if (info.isSymlink) return "link";
  if (info.isDirectory) return `directory of ${[...Deno.readDirSync(path)].length}`;
  if (info.isFile) return Deno.readTextFileSync(path) === GOOD ? "the file as it was" : "new file";
  return info.isFifo ? "FIFO" : "other";
}
