import { listSigningKeys, type SigningKey } from '#kit/openid-provider/list-signing-keys.ts'
import { isPublished } from '#kit/openid-provider/published-until.ts'
import type { Dependencies } from '../../dependencies.ts'

/** The keys in the key set, the one that signs first. */
export async function listPanelKeys({
  database,
  runtime,
  providers,
}: Dependencies): Promise<readonly SigningKey[]> {
  const keys = await listSigningKeys(database)
  const now = runtime.clock.seconds()
  return keys.filter((key) => isPublished(key, providers.tokenLifetime, now))
}
