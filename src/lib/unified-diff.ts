type Change = { sign: " " | "-" | "+"; line: string };

/** Lines around a change that stay to tell where it is. */
const CONTEXT = 3;

/**
 * The hunks of a unified diff, without file names; "" when both texts are the same. Time and
 * memory grow with the product of the lines that differ, so callers limit them.
 */
export const unifiedDiff = (before: string, after: string): string => {
  const changes = changesOf(linesOf(before), linesOf(after));
  return hunksOf(changes)
    .map(([start, end]) => hunkText(changes, start, end))
    .join("");
};

/** Each with its line break, so that a missing one at the end is a difference. */
const linesOf = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];

const changesOf = (before: string[], after: string[]): Change[] => {
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  while (head < shorter && before[head] === after[head]) head++;
  let tail = 0;
  while (tail < shorter - head && before.at(-1 - tail) === after.at(-1 - tail)) tail++;
  const same = (line: string): Change => ({ sign: " ", line });
  return [
    ...before.slice(0, head).map(same),
    ...middleChanges(
      before.slice(head, before.length - tail),
      after.slice(head, after.length - tail),
    ),
    ...before.slice(before.length - tail).map(same),
  ];
};

/** Keeps the longest common subsequence; what goes comes before what is new. */
const middleChanges = (before: string[], after: string[]): Change[] => {
  const width = after.length + 1;
  const common = new Uint32Array((before.length + 1) * width);
  const at = (i: number, j: number): number => common[i * width + j] ?? 0;
  for (let i = before.length - 1; i >= 0; i--) {
    for (let j = after.length - 1; j >= 0; j--) {
      common[i * width + j] =
        before[i] === after[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const changes: Change[] = [];
  let i = 0;
  let j = 0;
  while (i < before.length || j < after.length) {
    const [old, fresh] = [before[i], after[j]];
    if (old !== undefined && old === fresh) {
      changes.push({ sign: " ", line: old });
      i++;
      j++;
    } else if (old !== undefined && (fresh === undefined || at(i + 1, j) >= at(i, j + 1))) {
      changes.push({ sign: "-", line: old });
      i++;
    } else {
      changes.push({ sign: "+", line: fresh ?? "" });
      j++;
    }
  }
  return changes;
};

/** Ranges of changes with their context; those that touch are one. */
const hunksOf = (changes: Change[]): [start: number, end: number][] => {
  const hunks: [number, number][] = [];
  for (const [index, { sign }] of changes.entries()) {
    if (sign === " ") continue;
    const start = Math.max(0, index - CONTEXT);
    const end = Math.min(changes.length, index + CONTEXT + 1);
    const last = hunks.at(-1);
    if (last && start <= last[1]) last[1] = end;
    else hunks.push([start, end]);
  }
  return hunks;
};

const hunkText = (changes: Change[], start: number, end: number): string => {
  const hunk = changes.slice(start, end);
  const range = (other: "-" | "+"): string => {
    const above = changes.slice(0, start).filter(({ sign }) => sign !== other).length;
    const count = hunk.filter(({ sign }) => sign !== other).length;
    return `${count === 0 ? above : above + 1},${count}`;
  };
  const body = hunk.map(({ sign, line }) =>
    line.endsWith("\n") ? `${sign}${line}` : `${sign}${line}\n\\ No newline at end of file\n`,
  );
  return `@@ -${range("+")} +${range("-")} @@\n${body.join("")}`;
};
