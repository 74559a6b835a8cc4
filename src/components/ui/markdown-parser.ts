import { fromMarkdown, type Options } from "mdast-util-from-markdown";
import { gfmFromMarkdown } from "mdast-util-gfm";
import { gfm } from "micromark-extension-gfm";
import { addLineBreaks } from "./line-breaks";

/** What plugins add to the syntax of Markdown. */
type SyntaxData = {
  micromarkExtensions: NonNullable<Options["extensions"]>;
  fromMarkdownExtensions: NonNullable<Options["mdastExtensions"]>;
};
type Tree = ReturnType<typeof fromMarkdown>;

type Transform<Node> = (tree: Node, file: { message: () => void }) => void;

/** A plugin of `unified`, the library that combines parsers, of which these plugins use nothing but its data. */
type Plugin<Node> = (
  this: { data: () => SyntaxData },
  options?: unknown,
) => Transform<Node> | undefined;

/** Prepares a plugin, alone or with its options. @returns what it changes in a tree. */
export const attachPlugin = <Node>(
  plugin: unknown,
  data: SyntaxData = { micromarkExtensions: [], fromMarkdownExtensions: [] },
): ((tree: Node) => void) => {
  const [attach, options] = [plugin].flat() as [Plugin<Node>, unknown?];
  const transform = attach.call({ data: () => data }, options);
  return (tree) => transform?.(tree, { message: () => undefined });
};

/** Creates a parser of Markdown with plugins before and after the syntax of GitHub. */
export const createMarkdownParser = (plugins: {
  before: readonly unknown[];
  after: readonly unknown[];
}) => {
  const data: SyntaxData = { micromarkExtensions: [], fromMarkdownExtensions: [] };
  const transforms = [...plugins.before, gitHubSyntax, addLineBreaks, ...plugins.after].map(
    (plugin) => attachPlugin<Tree>(plugin, data),
  );
  return (text: string): Tree => {
    const tree = fromMarkdown(text, {
      extensions: data.micromarkExtensions,
      mdastExtensions: data.fromMarkdownExtensions,
    });
    for (const transform of transforms) transform(tree);
    return tree;
  };
};

const gitHubSyntax: Plugin<Tree> = function () {
  const { micromarkExtensions, fromMarkdownExtensions } = this.data();
  micromarkExtensions.push(gfm());
  fromMarkdownExtensions.push(gfmFromMarkdown());
  return undefined;
};
