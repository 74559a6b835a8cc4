import { Counter, Histogram, type Registry } from "prom-client";
import type { AwaitedAgents } from "@/contract/agent";
import type { EndedTaskState, TaskKind } from "@/contract/task-state";

/** Records what becomes of tasks. No method throws or blocks. */
export type TaskMeter = {
  /** Records that this process has stored the end of a task. */
  recordEnd: (task: { kind: TaskKind; state: EndedTaskState }) => void;
  /** @param seconds from the end of the task until its report was in the history. */
  recordDelivery: (kind: TaskKind, seconds: number) => void;
  /** Records how long a call has waited for agents, in seconds. */
  recordWait: (endedBy: AwaitedAgents["ended_by"], seconds: number) => void;
};

/** @param register the registry of the created metrics. */
export const createTaskMeter = (register: Registry): TaskMeter => {
  const registers = [register];
  const ends = new Counter({
    name: "parley_task_ends_total",
    help: "Tasks that ended, by kind and state.",
    labelNames: ["kind", "state"],
    registers,
  });
  const deliveries = new Histogram({
    name: "parley_task_delivery_seconds",
    help: "Time from the end of a task until a worker had written its report into the chat.",
    labelNames: ["kind"],
    buckets: [0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 60, 300, 3_600],
    registers,
  });
  const waits = new Histogram({
    name: "parley_agent_wait_seconds",
    help: "Time for which calls have waited for agents, by what ended the wait.",
    labelNames: ["ended_by"],
    buckets: [0.3, 1, 3, 10, 30, 60, 300, 900, 1_800, 3_600],
    registers,
  });
  return {
    recordEnd: ({ kind, state }) => ends.inc({ kind, state }),
    recordDelivery: (kind, seconds) => deliveries.observe({ kind }, seconds),
    recordWait: (endedBy, seconds) => waits.observe({ ended_by: endedBy }, seconds),
  };
};
