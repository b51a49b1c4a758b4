/** Whether a verified file holds, and why, in sentences for the customer. */
export type Result = { holds: boolean; sentences: readonly string[] }

export function refused(sentence: string): Result {
  return { holds: false, sentences: [sentence] }
}
