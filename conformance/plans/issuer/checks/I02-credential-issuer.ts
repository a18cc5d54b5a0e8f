import { defineCheck } from '../../../kit/define-check.ts'
import { broken, held } from '../../../kit/finding.ts'
import { readMetadata } from '../flow/read-metadata.ts'
import type { IssuerContext } from '../issuer-context.ts'

export const check = defineCheck<IssuerContext>({
  id: 'I02',
  title: 'The metadata names the issuer by the address that it was fetched for',
  level: 'spec',
  expectation: 'accept',
  rows: ['1.resources-and-their-fields/issuer-metadata.1'],
  clauses: ['OpenID4VCI 1.0, 12.2.4'],
  description:
    'Wallets refuse metadata of another issuer, so that nobody can pass off theirs; a slash too many is another issuer.',
  sends: 'GET of the metadata of the credential_issuer in the target.',
  decides:
    'credential_issuer is that address, character by character. A slash more or less at its end is a WARN: OpenID4VCI counts it, the documents do not say.',
  async run(context) {
    const { credentialIssuer: expected } = context
    const { credential_issuer: actual } = await readMetadata(context)
    const details = { expected, actual, verdictSource: 'credential_issuer in the metadata' }
    if (actual === expected) return held(`It names ${expected}.`, details)
    const isSlash = [`${actual}/`, actual].some(
      (each) => each === expected || each === `${expected}/`,
    )
    return broken('credential_issuer is not the address that the metadata was fetched for.', {
      ...details,
      ...(isSlash && { level: 'final' }),
    })
  },
})
