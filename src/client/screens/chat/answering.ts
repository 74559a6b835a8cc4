/** The form for a required action, with what reads and writes its drafts: the composer adds texts to them. */
export { default } from "./action-to-answer";
export { addText, findTextCall, readDrafts } from "@/components/answers/draft";
