import { defineCheck } from '../../../kit/define-check.ts'
import { broken, held } from '../../../kit/finding.ts'
import { credentialIdOf } from '../flow/credential-id-of.ts'
import { obtainCredential } from '../flow/obtain-credential.ts'
import type { IssuerContext } from '../issuer-context.ts'

const urn = /^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

export const check = defineCheck<IssuerContext>({
  id: 'I64',
  title: 'Each credential has a urn:uuid of its own as id',
  level: 'spec',
  expectation: 'accept',
  rows: ['1.resources-and-their-fields/issuedcredential.6'],
  description: 'By its id a credential is revoked: two with one id end together, or one lives on.',
  sends: 'Takes two offers as documented.',
  decides:
    'The id in vc of both, or jti where vc has none, is urn:uuid: with a UUID, and they differ.',
  async run(context) {
    const one = credentialIdOf(await obtainCredential(context))
    const other = credentialIdOf(await obtainCredential(context))
    const verdictSource = 'id in the vc claims, or jti'
    for (const id of [one, other]) {
      if (typeof id === 'string' && urn.test(id)) continue
      const details = { expected: 'urn:uuid:…', actual: id, verdictSource }
      return broken('The id of a credential is no urn:uuid.', details)
    }
    return one === other
      ? broken('Two credentials have one id.', { actual: one, verdictSource })
      : held('Two credentials have two.', { verdictSource })
  },
})
