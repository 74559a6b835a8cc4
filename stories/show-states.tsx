import type { ComponentType, ReactNode } from "react";
import { within } from "storybook/test";

type Context = { args: object; canvasElement: HTMLElement; canvas: unknown };
type State = { args?: object; play?: (context: never) => Promise<void> | void };
type Shown = {
  component?: ComponentType<never>;
  render?: (args: never, context: never) => ReactNode;
};

/** These count the landmarks of a page, of which a state is a part: the tests of whole pages check them. */
const PAGE_RULES = [
  "landmark-unique",
  "landmark-no-duplicate-banner",
  "landmark-no-duplicate-contentinfo",
].map((id) => ({ id, enabled: false }));

/** A component of its own, so that a `render` with hooks has them once for each state. */
const RenderedState = ({ render }: { render: () => ReactNode }) => render();

/** The ids of a document are unique, so those of the states differ. */
const toStateArgs = (args: object, index: number): object =>
  "id" in args && typeof args.id === "string" ? { ...args, id: `${args.id}-${index}` } : args;

/**
 * Creates one story that shows a component in several states, each under its label.
 * The `play` of a state gets that state's arguments and place, and must not act: all states share one document.
 */
export const showStates = <Story extends State>(
  { component, render }: Shown,
  states: Readonly<Record<string, Story>>,
): Story => {
  const Component = component as ComponentType<object>;
  const renderArgs = (render ?? ((args) => <Component {...args} />)) as (
    args: object,
    context: object,
  ) => ReactNode;
  const entries = Object.entries(states);
  const story = {
    /** For tests that look for a state. */
    states,
    parameters: { a11y: { config: { rules: PAGE_RULES } } },
    render: (args: object, context: object) => (
      <dl className="space-y-6">
        {entries.map(([label, state], index) => (
          <div key={label}>
            <dt className="mb-2 text-sm text-muted">{label}</dt>
            <dd>
              <RenderedState
                render={() => renderArgs(toStateArgs({ ...args, ...state.args }, index), context)}
              />
            </dd>
          </div>
        ))}
      </dl>
    ),
    play: async (context: Context) => {
      const list = context.canvasElement.querySelector("dl");
      const places = [...(list?.children ?? [])].map(
        (item) => item.lastElementChild as HTMLElement,
      );
      const failures: string[] = [];
      for (const [index, [label, { args, play }]] of entries.entries()) {
        const canvasElement = places[index];
        if (!canvasElement) throw new Error(`${label}: was not rendered`);
        const own = {
          ...context,
          args: toStateArgs({ ...context.args, ...args }, index),
          canvasElement,
          canvas: within(canvasElement),
        };
        try {
          await (play as ((context: Context) => Promise<void> | void) | undefined)?.(own);
        } catch (error) {
          failures.push(`${label}: ${error instanceof Error ? error.message : String(error)}`);
        }
      }
      // All of them, as one failure must not hide another.
      if (failures.length > 0) throw new Error(failures.join("\n\n"));
    },
  };
  return story as unknown as Story;
};
