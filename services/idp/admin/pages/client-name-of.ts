import type { Login } from '../../adapters/login-store.ts'

/** The client of a session: its name, or its id where it is no more. */
export function clientNameOf(
  { client_id: clientId }: Login,
  clientNames: ReadonlyMap<string, string>,
): string {
  if (clientId === null) return 'unknown client'
  return clientNames.get(clientId) ?? clientId
}
