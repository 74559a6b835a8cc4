const OWN_TAG = /<(?=\s*(?:\/\s*)?(?:task_report|attached_file)\b)/gi;

/** Foreign text that looks like a report, or like the end of a file, must not be taken for one. */
export const escapeOwnTags = (text: string): string => text.replaceAll(OWN_TAG, "&lt;");
