import { randomBytes } from 'node:crypto'
import type { DidEnvironment } from '#core/did/did-org.ts'
import type { AttributeMetadata } from '#core/registries/tir-client.ts'
import { createFreshIdentity } from '../registries/did-registry-under-test.ts'
import type { Accreditor } from './accreditor.ts'

/** A publication that nobody has made: a new subject, a new attribute, under an accreditor. */
export function metadataOf(
  by: Pick<Accreditor, 'did' | 'attributeId'>,
  environment: DidEnvironment,
  issuerType: AttributeMetadata['issuerType'] = 'TI',
): AttributeMetadata {
  return {
    did: createFreshIdentity(environment).did,
    attributeId: randomBytes(32).toString('hex'),
    issuerType,
    taoDid: by.did,
    attributeIdTao: by.attributeId,
  }
}
