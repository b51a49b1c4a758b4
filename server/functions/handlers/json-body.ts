/** Bodies of the functions. */
import { Refusal } from './refusals.ts'

/** Every decimal of so many digits is a number of its own; longer ones are rounded by whoever reads them as numbers. */
const exactDigitsMax = 15

/**
 * The request's JSON. A number of more digits than can be told apart is answered as the text that was sent, so that an
 * amount is refused and never rounded (security.md MO-02). Throws `Refusal` 400 when it is none.
 */
export async function readJson(request: Request): Promise<unknown> {
  const text = await request.text()
  try {
    return JSON.parse(text, exactly)
  } catch (error) {
    throw new Refusal(400, 'El cuerpo no es JSON.', { cause: error })
  }
}

/** ECMAScript's `JSON.parse` hands over the source of each value. */
function exactly(_key: string, value: unknown, { source = '' }: { source?: string } = {}): unknown {
  if (typeof value !== 'number') return value
  const digits = source.replace(/e.*$/i, '').replaceAll(/[-.]/g, '').replace(/^0+/, '')
  return digits.length > exactDigitsMax ? source : value
}
