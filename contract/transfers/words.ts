/**
 * The description of a posting of a transfer has two parts: the bank's words, and the name and the concept that
 * customers wrote, in guillemets (`private.transfer_text`, docs/decisions/0083).
 */
export type TransferWords = {
  /** `Transferencia recibida`, which the bank wrote. */
  readonly words: string
  /** The name that a customer wrote, or empty. */
  readonly name: string
  /** The concept that a customer wrote, or empty. */
  readonly concept: string
}

// A correction cuts a long description, which then has no last guillemet.
const form =
  /^(?<words>(?:Corrección: )*Transferencia (?:enviada|recibida))(?: (?:a|de) «(?<name>[^«»]*)»)?(?:: «(?<concept>[^«»]*)»?)?$/u

/** Separates the description of a transaction that the bank recorded. Returns `null` if it is not that of a transfer. */
export function transferWordsOf(description: string): TransferWords | null {
  const found = form.exec(description)?.groups
  return found === undefined
    ? null
    : { words: found['words'] ?? '', name: found['name'] ?? '', concept: found['concept'] ?? '' }
}
