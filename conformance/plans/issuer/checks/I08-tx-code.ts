import { z } from 'zod'
import { parseJson } from '#core/json/read-json.ts'
import { evaluateCredentialOfferUri } from '#core/oid4vci/credential-offer.ts'
import { preAuthorizedCodeGrant } from '#core/oid4vci/token.ts'
import { broken, defineCheck, endCheck, held, inconclusive } from '../../../kit/check.ts'
import type { IssuerContext } from '../issuer-context.ts'

const zTxCode = z.looseObject({
  length: z.int().positive().optional(),
  input_mode: z.string().min(1).optional(),
  description: z.string().optional(),
})

const longestDescription = 300
const memberNames = Object.keys(zTxCode.shape)

const zOffer = z.looseObject({
  grants: z.looseObject({ [preAuthorizedCodeGrant]: z.record(z.string(), z.unknown()) }),
})

export const check = defineCheck<IssuerContext>({
  id: 'I08',
  title: 'tx_code describes the PIN, and is absent without a PIN',
  level: 'spec',
  expectation: 'accept',
  rows: ['1.resources-and-their-fields/credential-offer-object.4'],
  clauses: ['OpenID4VCI 1.0, 4.1.1'],
  description:
    'With tx_code a wallet knows whether to ask its holder for a PIN, and shows the right keyboard for it.',
  sends: 'Creates an offer without a PIN and an offer with a PIN, and reads their links.',
  decides:
    'Without a PIN the grant has no member tx_code, not even null; with a PIN it is an object with length (integer), input_mode (numeric or text) and description (at most 300 characters). A missing member, or a value that only OpenID4VCI 1.0 forbids, is a WARN.',
  fix: 'Without a PIN, omit tx_code from the grant instead of setting it to null. With a PIN, make it an object with length (integer), input_mode (numeric or text) and description (a string).',
  needs: ['pin'],
  async run(context) {
    const without = grantIn((await context.createOffer()).link)
    const verdictSource = "tx_code in the offers' links"
    if ('tx_code' in without) {
      const actual = without.tx_code
      return broken('An offer without a PIN has tx_code.', { actual, verdictSource })
    }
    const { tx_code: actual } = grantIn((await context.createOffer('pin')).link)
    const txCode = zTxCode.safeParse(actual)
    if (txCode.success) {
      const missing = memberNames.filter((name) => txCode.data[name] === undefined)
      const { input_mode: mode = 'numeric', description = '' } = txCode.data
      if (!['numeric', 'text'].includes(mode) || description.length > longestDescription) {
        return broken(
          'tx_code of an offer with a PIN has a value that OpenID4VCI does not allow.',
          {
            expected: `input_mode numeric or text, description of at most ${longestDescription} characters`,
            actual,
            verdictSource,
            level: 'final',
          },
        )
      }
      if (missing.length === 0) return held('Both are as documented.', { verdictSource })
      return broken(`tx_code of an offer with a PIN leaves out ${missing.join(', ')}.`, {
        expected: memberNames,
        actual,
        verdictSource,
        level: 'practice',
      })
    }
    const problems = txCode.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
    return broken(`tx_code of an offer with a PIN is not as documented: ${problems.join('; ')}.`, {
      expected: '{length, input_mode, description}',
      actual,
      verdictSource,
    })
  },
})

/** The grant of a link by value, with its members as on the wire. */
function grantIn(link: string): Readonly<Record<string, unknown>> {
  const { found } = evaluateCredentialOfferUri(link)
  if (found?.delivery !== 'value') {
    endCheck(inconclusive('The link does not contain an offer by value: see I05.'))
  }
  const offer = zOffer.safeParse(parseJson(found.json))
  if (!offer.success)
    endCheck(inconclusive('The link does not contain an offer as documented: see I05.'))
  return offer.data.grants[preAuthorizedCodeGrant] ?? {}
}
