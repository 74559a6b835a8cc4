type StateName = {
  /** What the component shows in it. */
  shows: string;
  /** Words for the same state, which no story uses. */
  insteadOf?: readonly string[];
};

/**
 * The names of states that several components have, as the labels and the stories name them, so that a reviewer finds
 * the same state under the same name. A label is such a name, alone or before a comma and a detail, or before a colon
 * and what to look at: `Failed`, `Failed, without network`, `Disabled: the value can be read`.
 */
export const STATE_NAMES: Readonly<Record<string, StateName>> = {
  // What is loaded from the server.
  Loading: { shows: "what is shown is not there yet" },
  "Load error": {
    shows: "it could not be loaded, and why",
    insteadOf: ["Not loaded", "Loading failed", "Search failed", "Reload error"],
  },
  Refreshing: { shows: "the old value, while it is loaded again", insteadOf: ["Refetching"] },
  "Has more": { shows: "only the first part of a list", insteadOf: ["Has older"] },
  "Loading more": { shows: "the next part is loaded", insteadOf: ["Loading older"] },
  Empty: {
    shows: "nothing is there yet, or a control has no value",
    insteadOf: ["None", "Nothing", "No items", "Unanswered", "Nothing selected", "Untouched"],
  },
  Searching: { shows: "a search runs" },
  "Nothing found": { shows: "a search without results", insteadOf: ["No results"] },
  Found: { shows: "a search with results" },
  Full: { shows: "as much as there may be" },
  One: { shows: "one of what there may be several" },
  Two: { shows: "two" },
  Few: { shows: "few" },
  Several: { shows: "more than one" },
  Many: { shows: "as many as in daily use, or more" },
  Twenty: { shows: "twenty" },

  // Controls and forms.
  Default: { shows: "nothing special" },
  Filled: {
    shows: "a control or a form has a value",
    insteadOf: ["Has value", "With value", "Answered form", "With draft"],
  },
  Required: { shows: "a value is needed" },
  Offered: { shows: "it can be chosen" },
  "With hint": { shows: "the hint below a control", insteadOf: ["Described"] },
  "With error": {
    shows: "the error of a field at the field",
    insteadOf: ["Error", "Refused", "Value refused", "Field error"],
  },
  "Label only": { shows: "a control without notes" },
  Invalid: {
    shows: "what is typed cannot be read, such as JSON that is none",
    insteadOf: ["At fault", "Bad value", "Malformed"],
  },
  Disabled: { shows: "it cannot be used, but read", insteadOf: ["Inactive", "Locked"] },
  On: { shows: "switched on" },
  Off: { shows: "switched off" },
  Open: { shows: "what can be opened is open", insteadOf: ["Unfolded", "Expanded"] },
  Closed: { shows: "what can be opened is closed", insteadOf: ["Folded", "Collapsed"] },
  Shown: { shows: "what is hidden at first" },
  Hidden: { shows: "what is shown only when it is asked for" },
  Current: { shows: "where the person is" },
  "Not current": { shows: "another place" },
  "With files": { shows: "a message with text and files" },
  "Files only": { shows: "a message without text" },
  "Image and table": { shows: "a file that is shown, and one that is not" },
  Editing: { shows: "it is changed in its place" },
  New: { shows: "a form for something new" },
  Change: { shows: "a form for what is there" },
  Saving: { shows: "a form or a setting is on its way", insteadOf: ["Being saved", "Saving edit"] },
  "Save error": { shows: "a setting was not saved, and why", insteadOf: ["Save failed"] },
  "Change error": {
    shows: "a row of a list was not changed, and why",
    insteadOf: ["Removal error", "Delete error"],
  },
  "Form open": { shows: "the form of a list" },
  Busy: { shows: "the action of a button runs", insteadOf: ["Pressed", "In progress"] },
  Deciding: { shows: "a decision is on its way" },
  Sending: { shows: "a message or an answer is on its way", insteadOf: ["Submitting"] },
  Revoking: { shows: "a key or a rule is being revoked" },
  "Revoke error": { shows: "it was not revoked, and why" },
  Created: { shows: "what was made is shown once" },
  Answered: { shows: "a question that has its answer" },
  Testing: { shows: "a model, a server or a recipe is tried", insteadOf: ["Trying"] },
  "Test passed": { shows: "it works", insteadOf: ["Answers", "Succeeded", "Works"] },
  "Test failed": { shows: "it does not, and why", insteadOf: ["Fails", "No answer", "Run failed"] },
  "Not tested": { shows: "the test itself failed", insteadOf: ["Not run"] },
  "Untouched sends nothing": { shows: "an empty form is not sent" },

  // Chats, calls and tasks: the words of the API.
  "At rest": {
    shows: "no turn runs, and nobody is waited for",
    insteadOf: ["Idle", "Waiting", "Resting"],
  },
  Pending: { shows: "a turn waits for a worker" },
  Queued: { shows: "a task waits for its turn" },
  Running: { shows: "a turn, a call or a task runs", insteadOf: ["Live", "Working", "Active"] },
  "Running tools": { shows: "a turn whose calls run" },
  Retrying: { shows: "a model is called again after a pause" },
  Streaming: {
    shows: "a text, or the arguments of a call, arrive",
    insteadOf: ["Writing", "Answering", "Partial", "Partial path", "Partial args", "Preparing"],
  },
  Interrupting: { shows: "a turn is being stopped", insteadOf: ["Stopping"] },
  Interrupted: { shows: "a person has stopped it" },
  Paused: { shows: "a queue after a stop" },
  "Needs you": {
    shows: "a person is waited for",
    insteadOf: ["Waiting for you", "Requires action", "Asking"],
  },
  "Awaiting result": { shows: "a call that a client answers", insteadOf: ["Client call"] },
  "Awaiting approval": {
    shows: "a call that a person approves or rejects",
    insteadOf: ["Approval", "Needs approval"],
  },
  "Awaiting programs": { shows: "programs work on the calls that are open" },
  "Awaiting agents": {
    shows: "agents are waited for",
    insteadOf: ["Waiting for agents", "Agents"],
  },
  Completed: {
    shows: "it succeeded",
    insteadOf: ["Done", "Ended", "Settled", "Exited", "Finished"],
  },
  Failed: {
    shows: "it did not succeed, and why",
    insteadOf: ["Server error", "Send failed", "Not saved", "Not taken", "Sign in failed"],
  },
  Cancelled: { shows: "ended before it was done", insteadOf: ["Canceled", "Aborted"] },
  "Timed out": { shows: "ended by its time", insteadOf: ["Timeout"] },
  Denied: { shows: "a person has rejected it", insteadOf: ["Rejected"] },
  Unknown: { shows: "nobody knows how it ended" },
  Expired: { shows: "its time is over", insteadOf: ["Outdated"] },
  Archived: { shows: "put away" },
  Unread: { shows: "not seen yet" },
  "Step limit": { shows: "ended at the limit of steps" },
  "Cut off": { shows: "ended at the limit of the output" },
  Filtered: { shows: "ended by the filter of the provider" },
  "Wrong shape": {
    shows: "data that the component does not know",
    insteadOf: ["Unknown shape", "Wrong types"],
  },
  Hostile: { shows: "data that tries to do harm" },

  // Contents that are larger or other than usual.
  Short: { shows: "less than usual" },
  Long: { shows: "more than usual", insteadOf: ["Very long"] },
  "Long text": { shows: "a text of many sentences" },
  "Long texts": { shows: "all texts are long" },
  "Long word": { shows: "a word that is wider than its place", insteadOf: ["One long word"] },
  "Long words": { shows: "all words are wider than their place" },
  "Long title": { shows: "a title that does not fit" },
  "Long titles": { shows: "titles that do not fit" },
  "Long name": { shows: "a name that does not fit", insteadOf: ["A long name"] },
  "Long label": { shows: "a label that does not fit" },
  "Long labels": { shows: "labels that do not fit" },
  "Long line": { shows: "a line that scrolls" },
  "Long arguments": { shows: "arguments that do not fit" },
  "Many lines": { shows: "more lines than fit" },
  "Many options": { shows: "more options than fit next to each other" },
  "Local server": { shows: "a model of the same network" },
  "From environment": { shows: "set by the server’s environment" },
  Minutes: { shows: "a time of minutes" },
  Hours: { shows: "a time of hours" },

  // Places.
  Narrow: { shows: "320 pixels wide" },
  Phone: { shows: "390 pixels wide", insteadOf: ["On a phone", "Mobile"] },
  Dark: { shows: "the dark theme, where it differs by more than its colors" },
};

/** Names of kinds and contents, not of states, that happen to be the same in several components. */
export const KIND_NAMES: readonly string[] = [
  "Agent",
  "Alternatives",
  "Branch",
  "Built in",
  "Command",
  "Danger",
  "Dynamic",
  "Every state",
  "Example",
  "Fields",
  "First of two",
  "Ghost",
  "JSON",
  "Known",
  "Large",
  "Lines",
  "Missing",
  "Nested",
  "Normal",
  "Plain",
  "Primary",
  "Question",
  "Screen",
  "Secondary",
  "Small",
  "Text",
  "Without key",
];
