// What a process did to files, processes and the network, from strace's record of it.
import { resolve } from "@std/path/resolve";

/** One thing done. */
export interface Deed {
  readonly kind: "read" | "write" | "watch" | "process" | "network";
  /** The path, absolute; for processes and the network the call itself. */
  readonly what: string;
}

const WRITERS =
  /^(?:creat|mkdir|rmdir|rename|link|unlink|symlink|chmod|chown|lchown|fchmodat|fchownat|truncate|utime|utimes|futimesat|utimensat|mknod|setxattr|lsetxattr|removexattr|lremovexattr|mount|umount2?|swapon|acct)(?:at2?)?$/;
const NETWORK = /^(?:socket|connect|bind|listen|accept4?|getpeername|getsockname|setsockopt|sendmsg|sendmmsg)$/;
const PROCESS = /^(?:execve|execveat|fork|vfork|clone3?|kill|tkill|tgkill|pidfd_send_signal|ptrace|setns|unshare)$/;

/** The quoted strings among a call's arguments. */
const strings = (text: string): string[] =>
  [...text.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, inner]) => JSON.parse(`"${inner.replaceAll(/\\(\d+)/g, "?")}"`));

/** What the lines of `strace -f -e trace=%file,%network,%process` tell; threads of one process are no process. */
export function deedsOf(record: string, cwd: string): Deed[] {
  const deeds: Deed[] = [];
  for (const line of record.split("\n")) {
    const [, call, rest] = /^\d+ +(\w+)\((.*)/.exec(line) ?? [];
    if (call === undefined) continue;
    const paths = strings(rest).map((path) => resolve(cwd, path));
    const tell = (kind: Deed["kind"], all: readonly string[]) => deeds.push(...all.map((what) => ({ kind, what })));
    if (/^open(?:at2?)?$/.test(call)) {
      tell(/O_WRONLY|O_RDWR|O_CREAT|O_TRUNC|O_APPEND/.test(rest) ? "write" : "read", paths.slice(0, 1));
    } else if (call === "inotify_add_watch") tell("watch", paths);
    else if (WRITERS.test(call)) tell("write", paths);
    else if (NETWORK.test(call)) tell("network", [`${call}(${rest}`]);
    else if (PROCESS.test(call) && !rest.includes("CLONE_THREAD")) tell("process", [`${call}(${rest}`]);
  }
  return deeds;
}
