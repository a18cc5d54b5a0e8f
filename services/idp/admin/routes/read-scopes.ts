import { supportedScopes } from '../../adapters/openid-provider.ts'
import type { Dependencies } from '../../dependencies.ts'

/** The mappers' text of every scope that can have some, in the order of the discovery document. */
export async function readScopes({
  scopeMappers,
}: Dependencies): Promise<ReadonlyMap<string, string>> {
  const texts = await scopeMappers.read()
  // The scope openid gives sub alone, which is computed.
  const supported = supportedScopes.filter((scope) => scope !== 'openid')
  return new Map([...supported.map((scope) => [scope, texts.get(scope) ?? ''] as const), ...texts])
}
