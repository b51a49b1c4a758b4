/**
 * Text of one line that other people read (security.md IN-05): descriptions, categories, names. The database has the same
 * lists in the constraint `transactions_description_is_a_line`, which applies to every client and server.
 */

/** Control characters, separators of lines and paragraphs, and characters that change the direction of text. */
const refused = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/u

/** Any character except blanks, joiners, fillers, selectors and tags. */
const visible =
  /[^\u034f\u17b4\u17b5\u180b-\u180f\ufe00-\ufe0f \u00a0\u00ad\u115f\u1160\u1680\u2000-\u200d\u202f\u205f-\u2064\u206a-\u206f\u2800\u3000\u3164\uffa0\ufff9-\ufffb\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]/u

/** Returns whether a text in NFC has a visible character and no refused character. */
export function isPlainLine(text: string): boolean {
  return text.isWellFormed() && !refused.test(text) && visible.test(text)
}
