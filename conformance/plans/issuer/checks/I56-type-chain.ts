import { defineCheck } from '../../../kit/define-check.ts'
import { broken, held } from '../../../kit/finding.ts'
import { obtainCredential } from '../flow/obtain-credential.ts'
import type { IssuerContext } from '../issuer-context.ts'

export const check = defineCheck<IssuerContext>({
  id: 'I56',
  title: 'type holds every type of the inheritance chain',
  level: 'spec',
  expectation: 'accept',
  rows: ['1.resources-and-their-fields/credential-schema-rules-checked-on-presentation.4'],
  description:
    'A verifier that asks for one of the types above finds no credential otherwise, and one that knows the chain refuses it.',
  sends: 'Takes an offer as documented.',
  decides:
    'type is an array with every type of the offered entry of the metadata: the documents do not name the chain, the issuer does.',
  async run(context) {
    const { vc, entry } = await obtainCredential(context)
    const { type: actual } = vc
    const expected = entry.types
    const verdictSource = 'type of the credential'
    if (!Array.isArray(actual)) {
      return broken('type is no array.', { expected, actual, verdictSource })
    }
    const missing = expected.filter((type) => !actual.includes(type))
    return missing.length === 0
      ? held(`It holds ${expected.join(', ')}.`, { verdictSource })
      : broken(`It lacks ${missing.join(', ')}.`, { expected, actual, verdictSource })
  },
})
