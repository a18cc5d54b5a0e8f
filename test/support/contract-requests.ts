import { createDidKey } from './create-did-key.ts'
import { validFrom, validUntil, vMethodIdOf } from './registries.ts'

const key = createDidKey('builder')
const other = createDidKey('other')
const did = key.did
const from = key.address
const vMethodId = vMethodIdOf(key)
const control = {
  did,
  vMethodId,
  proof: key.proof,
  publicKeyType: 'secp256k1',
  publicKey: key.publicKey,
  notBefore: validFrom,
  notAfter: validUntil,
  from,
}
const method = { did, vMethodId, publicKeyType: 'secp256k1', publicKey: other.publicKey, from }

/** Each operation below /contract/ with a valid body (profile/did-registry, Write). */
export const contractRequests = {
  insertFirstDidDocument: { ...control, alsoKnownAs: 'urn:a' },
  insertDidDocument: control,
  updateAlsoKnownAs: { did, alsoKnownAs: 'urn:a', from },
  updateBaseDocument: { did, baseDocument: '{"@context":["https://a.example"]}', from },
  addController: { did, controller: other.did, from },
  revokeController: { did, controller: other.address, from },
  addVerificationMethod: method,
  revokeVerificationMethod: { did, vMethodId, notAfter: validUntil, from },
  expireVerificationMethod: { did, vMethodId, notAfter: validUntil, from },
  rollVerificationMethod: {
    ...method,
    notBefore: validFrom,
    notAfter: validUntil,
    oldVMethodId: vMethodIdOf(other),
    duration: 3600,
  },
  addVerificationRelationship: {
    did,
    name: 'assertionMethod',
    vMethodId,
    notBefore: validFrom,
    notAfter: validUntil,
    from,
  },
}

export const contractOperations = Object.keys(
  contractRequests,
) as readonly (keyof typeof contractRequests)[]
