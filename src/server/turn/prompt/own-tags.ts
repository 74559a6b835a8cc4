const OWN_TAG = /<(?=\s*(?:\/\s*)?(?:task_report|attached_file|conversation_summary)\b)/gi;

/** Foreign text that looks like a report, or like the end of a file or of a summary, must not be taken for one. */
export const escapeOwnTags = (text: string): string => text.replaceAll(OWN_TAG, "&lt;");
