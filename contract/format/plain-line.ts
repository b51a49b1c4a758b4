/**
 * Checks one-line fields that other users read, such as descriptions, categories and names (security.md IN-05). The
 * database constraint `transactions_description_is_a_line` contains the same character lists and applies to every
 * client and server.
 */

/** Control characters, line and paragraph separators, and characters that change the text direction. */
const refused = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/u

/** Matches any character except blanks, joiners, fillers, variation selectors and tag characters. */
const visible =
  /[^\u034f\u17b4\u17b5\u180b-\u180f\ufe00-\ufe0f \u00a0\u00ad\u115f\u1160\u1680\u2000-\u200d\u202f\u205f-\u2064\u206a-\u206f\u2800\u3000\u3164\uffa0\ufff9-\ufffb\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]/u

/** Returns whether a text in NFC contains at least one visible character and no refused characters. */
export function isPlainLine(text: string): boolean {
  return text.isWellFormed() && !refused.test(text) && visible.test(text)
}
