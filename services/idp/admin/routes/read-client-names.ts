import type { Dependencies } from '../../dependencies.ts'

/** Names of the clients by their id. */
export async function readClientNames({
  clients,
}: Dependencies): Promise<ReadonlyMap<string, string>> {
  return new Map((await clients.list()).map(({ clientId, name }) => [clientId, name]))
}
