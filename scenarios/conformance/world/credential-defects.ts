import { decodeBase64url, encodeBase64url } from '#core/crypto/base64url.ts'
import { credentialsContext } from '#core/lear-credential/z-lear-credential.ts'
import { createTermsOfUseUrl } from '#core/trust/parse-terms-of-use.ts'
import { createHolder } from './create-trust-world.ts'
import { type CredentialChange, type CredentialOrder, revokedIndex } from './issue-credential.ts'
import { partyOf } from './party-of.ts'

/** One thing that is wrong with a credential which is good otherwise. */
export interface CredentialDefect {
  /** What is wrong, to follow `a credential`: `whose signature does not verify`. */
  readonly wrong: string
  /** The verification rule that it breaks. */
  readonly rule: string
  readonly change: (order: CredentialOrder) => CredentialChange
}

const day = 86_400
const hour = 3600

/** Defects by name, made from the trust world alone. */
export const credentialDefects = {
  'bad-signature': {
    wrong: "whose issuer's signature does not verify",
    rule: 'credential.signature',
    change: () => ({ afterwards: flipBit }),
  },
  unsigned: {
    wrong: 'that is not signed (alg none)',
    rule: 'credential.algorithm',
    change: () => ({ header: { alg: 'none' }, afterwards: cutSignature }),
  },
  'other-holder': {
    wrong: 'about somebody else',
    rule: 'credential.holder',
    change: () => {
      const { did } = createHolder('somebody else')
      return { claims: { sub: did }, subject: { id: did } }
    },
  },
  expired: {
    wrong: 'that has expired',
    rule: 'credential.expiry',
    change: ({ now }) => ({ issuedAt: now - 2 * day, validUntil: now - day }),
  },
  'not-accredited': {
    wrong: 'of an issuer that the TIR does not know',
    rule: 'trust.attribute',
    change: ({ world }) => ({ issuer: partyOf(world, 'issuer without accreditation') }),
  },
  'accreditation-revoked': {
    wrong: 'of an issuer whose accreditation is revoked',
    rule: 'trust.not-revoked',
    change: ({ world }) => ({
      issuer: partyOf(world, 'issuer with a revoked accreditation', (party) => {
        world.publish(party, world.tao, 'TI').attribute.issuerType = 'REVOKED'
      }),
    }),
  },
  'other-environment': {
    wrong: 'whose termsOfUse points to the TIR of another environment',
    rule: 'credential.terms-of-use',
    change: ({ world: { issuer } }) => ({
      vc: {
        termsOfUse: {
          id: createTermsOfUseUrl('https://tir.pro.example/trusted-issuers-registry', issuer),
          type: 'TrustedIssuersRegistryEntry',
        },
      },
    }),
  },
  'context-order': {
    wrong: 'whose first @context is not that of the data model 2.0',
    rule: 'credential.context',
    change: () => ({
      vc: { '@context': ['https://www.w3.org/2018/credentials/v1', credentialsContext] },
    }),
  },
  'type-chain': {
    wrong: 'whose types lack one of the inheritance chain',
    rule: 'credential.type-chain',
    change: ({ world: { policy } }) => ({
      vc: { type: [policy.inheritedTypes[0], policy.acceptedType] },
    }),
  },
  'other-type': {
    wrong: 'of another type than the one that was offered',
    rule: 'credential.type',
    change: ({ world: { policy } }) => ({
      vc: { type: [...policy.inheritedTypes, 'OtherCredential'] },
    }),
  },
  'key-revoked': {
    wrong: "signed after the issuer's key was revoked",
    rule: 'credential.issuer-key',
    change: ({ world, now }) => ({
      issuer: partyOf(world, 'issuer with a revoked key', ({ kid, did }) => {
        const party = partyOf(world, 'issuer with a revoked key')
        world.publish(party, world.tao, 'TI')
        for (const use of world.keyUses) if (use.kid === kid) use.notAfter = now - hour
        world.use(`${did}#control`, party.privateKey, 'authentication')
      }),
    }),
  },
  revoked: {
    wrong: 'that its status list says is revoked',
    rule: 'credential.status',
    change: () => ({ statusIndex: revokedIndex }),
  },
} as const satisfies Readonly<Record<string, CredentialDefect>>

export type CredentialDefectName = keyof typeof credentialDefects

function flipBit(credential: string): string {
  const [header, payload, encoded = ''] = credential.split('.')
  const signature = decodeBase64url(encoded) ?? new Uint8Array()
  const flipped = signature.map((byte, index) => (index === 40 ? byte ^ 1 : byte))
  return [header, payload, encodeBase64url(flipped)].join('.')
}

const cutSignature = (credential: string) => credential.replace(/[^.]*$/, '')
