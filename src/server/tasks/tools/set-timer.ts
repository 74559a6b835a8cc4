import { setTimeout as sleep } from "node:timers/promises";
import * as z from "zod";
import { defineTool } from "@/server/tools/tool";
import { asyncResult, toolResult } from "@/server/tools/tool-result";

const MAX_SECONDS = 24 * 60 * 60;

export const setTimerTool = defineTool({
  name: "set_timer",
  description:
    "Reminds you after a time, in this chat. The call ends at once, and the reminder comes later as a report that begins a new turn if the chat rests by then.",
  example: { seconds: 60, note: "Look at the build." },
  card: { label: "Timer", icon: "alarm-clock", detail: "note" },
  input: z.object({
    seconds: z.number().min(1).max(MAX_SECONDS).describe("After how many seconds."),
    note: z.string().max(1_000).describe("What you want to be reminded of."),
  }),
  taskLabel: ({ note }) => note,
  runAsync: (_context, { seconds, note }, task) => {
    const over = sleep(seconds * 1_000, undefined, { signal: task.signal });
    task.complete(over.then(() => toolResult(`The timer is over: ${note}`)));
    return Promise.resolve(asyncResult(task.id, `The timer runs for ${seconds} seconds.`));
  },
});
