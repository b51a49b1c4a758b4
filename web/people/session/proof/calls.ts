import { callAuth } from '#api/client.ts'

export async function prove(proof: { current_password: string } | { nonce: string }): Promise<void> {
  await callAuth((auth) => auth.updateUser(proof))
}

export async function mailCode(): Promise<void> {
  await callAuth((auth) => auth.reauthenticate())
}
