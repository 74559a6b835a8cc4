import { afterCardLibrary } from "@/components/tool-cards/load-cards";

export const importAnswering = () => import("./answering");

export const loadAnswering = afterCardLibrary(importAnswering);
