/** A message of a tree of messages, as edits and regenerations make one. */
export type TreeNode<Value> = { id: string; parent: string | null; value: Value };

/** The way from the root to a leaf. */
export type TreePath<Value> = { leaf: string; values: Value[] };

/** Most branches of one conversation that become chats. */
const MAX_BRANCHES = 50;
/** Most characters of the JSON of them together: each branch repeats what it shares with the others. */
const MAX_BRANCH_CHARS = 8_000_000;
/** Added for each node, as its rows take space, too. */
const NODE_CHARS = 400;

/**
 * Finds the ways from the root of a tree to its leaves.
 *
 * @param current the leaf that is shown; the last one by default.
 * @returns the way to it first; of the others, as many as become chats, and how many are left out.
 */
export const listPaths = <Value>(
  nodes: readonly TreeNode<Value>[],
  current: string | undefined,
): { paths: TreePath<Value>[]; leftOut: number } => {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const parents = new Set(nodes.flatMap(({ parent }) => parent ?? []));
  const leaves = nodes.filter(({ id }) => !parents.has(id));
  const shown = byId.get(current ?? "") ?? leaves.at(-1) ?? nodes.at(-1);
  if (!shown) return { paths: [], leftOut: 0 };
  const main = climb(byId, shown);
  const isShown = new Set(main.map(({ id }) => id));
  const others = leaves.filter(({ id }) => !isShown.has(id));
  const paths = [main];
  const countChars = createCounter<Value>();
  let room = MAX_BRANCH_CHARS;
  for (const leaf of others.slice(0, MAX_BRANCHES)) {
    const path = climb(byId, leaf);
    room -= path.reduce((sum, node) => sum + countChars(node), 0);
    if (room < 0) break;
    paths.push(path);
  }
  return {
    paths: paths.map((path) => ({
      leaf: path.at(-1)?.id ?? "",
      values: path.map(({ value }) => value),
    })),
    leftOut: others.length - (paths.length - 1),
  };
};

/** Counts the characters of each node once. */
const createCounter = <Value>() => {
  const counts = new Map<string, number>();
  return ({ id, value }: TreeNode<Value>): number => {
    const count = counts.get(id) ?? NODE_CHARS + (JSON.stringify(value) ?? "").length;
    counts.set(id, count);
    return count;
  };
};

/** A damaged tree may have a cycle. */
const climb = <Value>(
  byId: ReadonlyMap<string, TreeNode<Value>>,
  leaf: TreeNode<Value>,
): TreeNode<Value>[] => {
  const path: TreeNode<Value>[] = [];
  const seen = new Set<string>();
  let node: TreeNode<Value> | undefined = leaf;
  while (node && !seen.has(node.id)) {
    seen.add(node.id);
    path.push(node);
    node = node.parent === null ? undefined : byId.get(node.parent);
  }
  return path.reverse();
};
