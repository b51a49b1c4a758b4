/** What a denied call was about, in the audit's words (docs/decisions/0017): as far as its body can be read. */

export type Attempt = {
  readonly action: string
  /** The user concerned; `null` where the body names none. */
  readonly target: string | null
}

const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i

/** Reads the body of a call of the function `name`; whatever it holds, this answers. */
export function attemptOf(name: string, body: string): Attempt {
  const sent = readObject(body)
  switch (name) {
    case 'manage-transactions':
      return {
        action: 'register_transaction',
        target: readId(objectOf(sent['transactionData'])['user_id']),
      }
    case 'manage-users':
      return sent['action'] === 'delete'
        ? { action: 'delete_user', target: readId(sent['userId']) }
        : { action: 'create_user', target: null }
    default:
      return { action: name.replaceAll('-', '_'), target: null }
  }
}

function readObject(body: string): Record<string, unknown> {
  try {
    return objectOf(JSON.parse(body))
  } catch (error) {
    if (error instanceof SyntaxError) return {}
    throw error
  }
}

function objectOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}

function readId(value: unknown): string | null {
  return typeof value === 'string' && uuid.test(value) ? value : null
}
