import { privateJwkFromHex } from '#core/crypto/jwk.ts'
import { verificationMethodIdOf } from '#core/did/did-org.ts'
import type { AttributeMetadata } from '#core/registries/tir-client.ts'
import { signAccreditation } from '#core/trust/accreditation.ts'
import type { Accreditor } from './accreditor.ts'
import type { TirContext } from './context.ts'

/**
 * The accreditation of a publication as a JWT, as good as any: a TIR may look whether it is about
 * the attribute.
 * @param type of credential that it is for: what tells one body from another
 */
export function signBody(
  { tirBaseUrl, now }: Pick<TirContext, 'tirBaseUrl' | 'now'>,
  { did: subjectDid, attributeId }: Pick<AttributeMetadata, 'did' | 'attributeId'>,
  { signer, ...by }: Accreditor,
  type = 'OrgPortalLearCredential',
): string {
  const { privateKey } = signer
  const vMethodId = verificationMethodIdOf(privateJwkFromHex(privateKey))
  return signAccreditation({
    id: `urn:uuid:${crypto.randomUUID()}`,
    subjectDid,
    attributeId,
    types: [type],
    accreditor: { ...by, vMethodId, privateKey },
    tirBaseUrl,
    now: now() - 60,
    validUntil: now() + 365 * 86_400,
  })
}
