import { randomUUID } from 'node:crypto'
import { createJWT, ES256KSigner } from 'did-jwt'

export interface IssuerIdentity {
  readonly issuerDid: string
  readonly issuerKid: string
  /** 0x-hex of 32 bytes, secp256k1. */
  readonly issuerPrivateKey: string
  /** Where the issuer's accreditation is. */
  readonly termsOfUseUrl: string
}

export const credentialTypes = [
  'VerifiableCredential',
  'LEARCredential',
  'OrgPortalLearCredential',
] as const

/** Glue: oid4vc-ts delivers credentials and makes none. did-jwt signs this one. */
export function createCredential(identity: IssuerIdentity, holderDid: string): Promise<string> {
  const { issuerDid, issuerKid, issuerPrivateKey, termsOfUseUrl } = identity
  const now = Math.floor(Date.now() / 1000)
  const validUntil = now + 365 * 86_400
  const id = `urn:uuid:${randomUUID()}`
  const isoTime = (time: number) => new Date(time * 1000).toISOString()
  return createJWT(
    {
      sub: holderDid,
      jti: id,
      nbf: now,
      exp: validUntil,
      vc: {
        '@context': ['https://www.w3.org/ns/credentials/v2'],
        id,
        type: credentialTypes,
        issuer: issuerDid,
        validFrom: isoTime(now),
        validUntil: isoTime(validUntil),
        credentialSubject: { id: holderDid, mandate },
        termsOfUse: { id: termsOfUseUrl, type: 'TrustedIssuersRegistryEntry' },
      },
    },
    {
      issuer: issuerDid,
      signer: ES256KSigner(Buffer.from(issuerPrivateKey.replace(/^0x/, ''), 'hex')),
    },
    { alg: 'ES256K', kid: issuerKid },
  )
}

const mandate = {
  mandator: {
    organizationIdentifier: 'VATES-F11111111',
    organization: 'Foreign Organization',
    commonName: 'Erika Muster',
    country: 'ES',
    email: 'erika@foreign.example',
    serialNumber: 'IDCES-00000000T',
  },
  mandatee: {
    employeeId: '4711',
    email: 'erika@foreign.example',
    firstName: 'Erika',
    lastName: 'Muster',
  },
  power: [{ type: 'Domain', domain: 'PORTAL', function: 'Onboarding', action: ['Execute'] }],
}
