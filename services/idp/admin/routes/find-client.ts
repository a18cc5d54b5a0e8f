import { TestbedError } from '#core/errors/testbed-error.ts'
import type { StoredClient } from '../../adapters/client-store.ts'
import type { Dependencies } from '../../dependencies.ts'

/**
 * The client that a page's address names.
 *
 * @throws TestbedError `not_found`
 */
export async function findClient(
  { clients }: Dependencies,
  { id = '' }: Readonly<Record<string, string>>,
): Promise<StoredClient> {
  const client = await clients.find(id)
  if (client === undefined) throw unknownClient()
  return client
}

export const unknownClient = () =>
  new TestbedError({ code: 'not_found', status: 404, message: 'There is no such client.' })
