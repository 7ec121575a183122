// What a fault is: what is done to the binary, what must hold, and a run that asserts it and says what happened.

/** One row of the table. Its `run` throws where something does not hold. */
export interface Fault {
  readonly fault: string;
  readonly command: string;
  readonly holds: string;
  /** What the machine must have; the fault is skipped by the name of what is missing. */
  readonly needs?: Readonly<Record<string, boolean>>;
  /** Does it in a fresh folder, and says in a few words what happened. */
  readonly run: (folder: string) => Promise<string>;
}

/** A fault that was tried. */
export interface Tried {
  readonly group: string;
  readonly fault: Fault;
  /** What happened; null where it was skipped, or something did not hold. */
  readonly happened: string | null;
  /** What did not hold. */
  readonly failure: unknown;
}

/** Groups of faults, by title. */
export type FaultTable = Readonly<Record<string, readonly Fault[]>>;

/** What is the same in each run: a count or a time may be another. */
export const withoutNumbers = (happened: string): string => happened.replace(/\d[\d.,]*/g, "N");

/** What `fault` needs and has not. */
export const missingFor = ({ needs = {} }: Fault): string[] =>
  Object.entries(needs).filter(([, isThere]) => !isThere).map(([what]) => what);
