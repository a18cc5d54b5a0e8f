import { privateJwkFromHex } from '#core/crypto/jwk.ts'
import { parseDidUrl, verificationMethodIdOf } from '#core/did/did-org.ts'
import { TestbedError } from '#core/errors/testbed-error.ts'
import type { Signer } from '#core/ethereum/account.ts'
import type { DidRegistryClient } from '#core/registries/did-registry-client.ts'

/**
 * The vMethodId under which a DID lists a key in its assertionMethod; the key's thumbprint, which the
 * documents recommend, where no registry is known.
 * @throws TestbedError `key_not_in_assertion_method`, as nobody would accept what it signs
 */
export async function findVerificationMethodId(
  didRegistry: DidRegistryClient | undefined,
  did: string,
  { privateKey, address }: Signer,
): Promise<string> {
  const jwk = privateJwkFromHex(privateKey)
  if (didRegistry === undefined) return verificationMethodIdOf(jwk)
  const document = await didRegistry.resolve(did)
  const method = document?.verificationMethod.find(
    ({ id, publicKeyJwk: { x, y } }) =>
      x === jwk.x && y === jwk.y && document.assertionMethod.includes(id),
  )
  const fragment = method && parseDidUrl(method.id)?.fragment
  if (fragment !== undefined) return fragment
  throw new TestbedError({
    code: 'key_not_in_assertion_method',
    status: 409,
    message: `The key of ${address} is not in the assertionMethod of ${did} now.`,
    hints: ['Nobody would accept what it signs: add the relationship first.'],
  })
}
