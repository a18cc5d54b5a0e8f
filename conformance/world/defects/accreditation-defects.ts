import { createTermsOfUseUrl } from '#core/trust/tir-attribute.ts'
import type { Defect, DefectWorld } from './defect.ts'

const termsOfUse = (id: string) => ({
  vc: { termsOfUse: { id, type: 'TrustedIssuersRegistryEntry' } },
})

const ownUrl = ({ tirBaseUrl, issuer }: DefectWorld) => createTermsOfUseUrl(tirBaseUrl, issuer)

/**
 * Where the accreditation is according to the credential, and what is there (profile/credential,
 * Rules 8).
 */
export const accreditationDefects: readonly Defect[] = [
  {
    name: 'terms-of-use-absent',
    description: 'There is no termsOfUse.',
    rule: 'credential.terms-of-use',
    change: () => ({ vc: { termsOfUse: undefined } }),
  },
  {
    name: 'terms-of-use-other-environment',
    description: 'termsOfUse.id names a DID of the other environment.',
    rule: 'credential.terms-of-use',
    change: (world) =>
      termsOfUse(
        world.environment === 'pre'
          ? ownUrl(world).replace('did:org:uc-pre:', 'did:org:uc:')
          : ownUrl(world).replace('did:org:uc:', 'did:org:uc-pre:'),
      ),
  },
  {
    name: 'terms-of-use-other-host',
    description: 'termsOfUse.id points to a TIR of a different environment.',
    rule: 'credential.terms-of-use',
    change: (world) =>
      termsOfUse(ownUrl(world).replace(/^https?:\/\/[^/]+/, 'https://other-tir.example')),
  },
  {
    name: 'terms-of-use-other-did',
    description: 'termsOfUse.id points to the accreditation of another organization.',
    rule: 'credential.terms-of-use',
    change: ({ tirBaseUrl, tao }) => termsOfUse(createTermsOfUseUrl(tirBaseUrl, tao)),
  },
  {
    name: 'terms-of-use-not-hex',
    description: 'The attributeId in termsOfUse.id is not hexadecimal.',
    rule: 'credential.terms-of-use',
    change: (world) => termsOfUse(ownUrl(world).replace(/.$/, 'g')),
  },
  {
    name: 'not-accredited',
    description: 'termsOfUse.id points to an attribute that the TIR does not have.',
    rule: 'trust.attribute',
    change: ({ tirBaseUrl, issuer: { did } }) =>
      termsOfUse(createTermsOfUseUrl(tirBaseUrl, { did, attributeId: 'ab'.repeat(32) })),
  },
  {
    name: 'accreditation-revoked',
    description: "The issuer's accreditation is revoked.",
    rule: 'trust.not-revoked',
    issuer: 'accreditation-revoked',
  },
  {
    name: 'parent-revoked',
    description: 'The accreditation of the TAO that accredited the issuer is revoked.',
    rule: 'trust.not-revoked',
    issuer: 'parent-revoked',
  },
  {
    name: 'accreditation-expired',
    description: "The issuer's accreditation has expired.",
    rule: 'trust.period',
    issuer: 'accreditation-expired',
  },
  {
    name: 'accreditation-for-another-type',
    description: "The issuer's accreditation does not cover the type of the credential.",
    rule: 'trust.accredited-for',
    issuer: 'accredited-for-another-type',
  },
  {
    name: 'accreditation-self-signed',
    description: 'The issuer signed its accreditation itself.',
    rule: 'trust.signature',
    issuer: 'accreditation-self-signed',
  },
  {
    name: 'accreditation-of-another',
    description: 'The accreditation of the issuer in the TIR has a different subject.',
    rule: 'trust.subject',
    issuer: 'accreditation-of-another',
  },
  {
    name: 'accreditation-moved',
    description: 'The accreditation in the TIR was made for a different attribute.',
    rule: 'trust.attribute-id',
    issuer: 'accreditation-moved',
  },
  {
    name: 'root-not-trusted',
    description: 'The issuer is in a separate trust chain without a trusted root.',
    rule: 'trust.root',
    issuer: 'root-not-trusted',
  },
]
