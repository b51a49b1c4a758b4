/** Bodies of the functions. */
import { Refusal } from './refusals.ts'

/** The request's JSON. Throws `Refusal` 400 when it is none. */
export async function readJson(request: Request): Promise<unknown> {
  try {
    return await request.json()
  } catch (error) {
    throw new Refusal(400, 'El cuerpo no es JSON.', { cause: error })
  }
}
