import { createTokenRequest, preAuthorizedCodeGrant } from '#core/oid4vci/token.ts'
import { defineChecks, type Finding, inconclusive } from '../../../kit/check.ts'
import { classifyStatus } from '../../../kit/classify-answer.ts'
import { findEach } from '../../../kit/find-each.ts'
import { changing, type NearMiss, similarTexts, valuesOf } from '../../../kit/near-misses.ts'
import type { IssuerContext } from '../context.ts'
import { askForToken, readOffer, sendPin, wrongPin } from '../redeeming.ts'
import { findWalletRefusal } from '../refusals.ts'

const tokenRow = '1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.5'

/** The documented form, with other values or with parameters twice. */
interface WrongForm {
  /** To follow `The token request with`. */
  readonly what: string
  /** Names and values in the order of the form. */
  readonly form: readonly (readonly [name: string, value: string])[]
  readonly isLenient?: true
}

const grantType = ['grant_type', preAuthorizedCodeGrant] as const
const codeOf = (code: string) => ['pre-authorized_code', code] as const

export const checks = defineChecks<IssuerContext>({
  'I107-similar-code': {
    title: 'A code that only resembles that of an offer does not yield a token',
    level: 'spec',
    expectation: 'refuse',
    control: 'offer',
    rows: [tokenRow],
    clauses: ['OpenID4VCI 1.0, 6.3'],
    description:
      'A look-up that ignores case, compares a part or supports patterns makes codes easier to guess.',
    sends:
      'Token requests with values that are similar to the code of an offer: characters changed, missing or added, patterns, a different case. Then the correct code.',
    decides:
      'The token endpoint responds to each with a 4xx, and the correct code with a token. Accepting a different case or spaces is a WARN.',
    fix: 'Look up pre-authorized_code by an exact, case-sensitive comparison of the whole string, without patterns. Return 400 invalid_grant.',
    run: (context) =>
      findFormsRefused(context, (code) =>
        valuesOf(similarTexts, code).map(({ what, value, ...miss }) => ({
          what: `a code that ${what}`,
          form: [grantType, codeOf(value)],
          ...miss,
        })),
      ),
  },
  'I108-similar-grant-type': {
    title: 'A grant type that only resembles the documented one does not yield a token',
    level: 'spec',
    expectation: 'refuse',
    control: 'offer',
    rows: [tokenRow],
    clauses: ['RFC 6749, 5.2'],
    description:
      'An issuer that searches for a part of grant_type applies the rules of one grant to another one.',
    sends:
      'Token requests with the code of an offer and a grant_type that is shorter, longer, another grant, only its last part or has a space around it. Then the correct one.',
    decides:
      'The token endpoint responds to each with a 4xx, and the correct request with a token. Ignoring a space is a WARN.',
    fix: 'Compare grant_type with urn:ietf:params:oauth:grant-type:pre-authorized_code as complete strings. Reject anything else with 400 unsupported_grant_type.',
    run: (context) =>
      findFormsRefused(context, (code) =>
        otherGrants.map((name) => ({
          what: `the grant type ${JSON.stringify(name)}`,
          form: [['grant_type', name], codeOf(code)],
          ...(name.trim() === preAuthorizedCodeGrant && { isLenient: true }),
        })),
      ),
  },
  'I109-parameters-twice': {
    title: 'A token request with a duplicate parameter is rejected',
    level: 'final',
    expectation: 'refuse',
    control: 'offer',
    clauses: ['RFC 6749, 3.2', 'RFC 6749, 5.2'],
    description:
      'A gateway and the issuer may read different ones of two values: one checks the first, the other redeems the last.',
    sends:
      'Token requests with two codes, one of them unknown, and with grant_type twice. Then the correct request.',
    decides:
      'The token endpoint responds to each with a 4xx, and the correct request with a token.',
    fix: 'Reject a token request in which any parameter occurs more than once with 400 invalid_request.',
    run: (context) =>
      findFormsRefused(context, (code) => [
        {
          what: 'an unknown code, then that of the offer',
          form: [grantType, codeOf('a-code-of-no-offer'), codeOf(code)],
        },
        {
          what: 'the code of the offer, then an unknown one',
          form: [grantType, codeOf(code), codeOf('a-code-of-no-offer')],
        },
        { what: 'grant_type twice', form: [grantType, grantType, codeOf(code)] },
        {
          what: 'two different grant types',
          form: [['grant_type', 'authorization_code'], grantType, codeOf(code)],
        },
      ]),
  },
  'I110-similar-pin': {
    title: 'A PIN that only resembles that of the offer does not yield a token',
    level: 'spec',
    expectation: 'refuse',
    control: 'pin-offer',
    rows: [tokenRow],
    clauses: ['OpenID4VCI 1.0, 6.3'],
    description:
      'A PIN is short. Comparing only a part of it, or its value as a number, leaves an attacker with few attempts.',
    sends:
      'Token requests with PINs that are similar to that of the offer: digits changed, missing or added, an empty PIN, zeros in front, a decimal point, a sign, spaces, other digits of Unicode, and the PIN of another offer. Each has a new offer.',
    decides:
      'The token endpoint responds to each with a 4xx. Accepting a PIN that has the same value as a number is a WARN.',
    fix: 'Compare tx_code with the PIN as complete strings. Do not trim, pad, truncate or convert it to a number. Return 400 invalid_grant.',
    needs: ['pin'],
    async run(context) {
      const { made } = await readOffer(context, { kind: 'pin' })
      const { pin: sample = '' } = made
      const misses = changing(similarPins, sample)
      const finding = await findEach(misses, async ({ what, change, ...miss }) => {
        const offer = await readOffer(context, { kind: 'pin' })
        const { pin = '' } = offer.made
        const wrong = change(pin)
        return wrong === pin
          ? findWalletRefusal(await sendPin(context, offer, wrongPin(pin)), { what: 'A wrong PIN' })
          : lower(
              findWalletRefusal(await sendPin(context, offer, wrong), {
                what: `The token request with a PIN that ${what}`,
              }),
              miss,
            )
      })
      if (finding.kind !== 'held') return finding
      const [one, other] = [await readOffer(context, { kind: 'pin' }), sample]
      if (one.made.pin === other) return finding
      return findWalletRefusal(await sendPin(context, one, other), {
        what: 'The token request with the PIN of another offer',
      })
    },
  },
})

const otherGrants = [
  'pre-authorized_code',
  'urn:ietf:params:oauth:grant-type:',
  'urn:ietf:params:oauth:grant-type:pre-authorized',
  'urn:ietf:params:oauth:grant-type:pre-authorized_code_2',
  'urn:example:urn:ietf:params:oauth:grant-type:pre-authorized_code',
  'urn:ietf:params:oauth:grant-type:PRE-AUTHORIZED_CODE',
  'urn:ietf:params:oauth:grant-type:jwt-bearer',
  'client_credentials',
  'refresh_token',
  'password',
  // The first one that is accepted uses the code: those whose acceptance is only a WARN are last.
  ` ${preAuthorizedCodeGrant}`,
  `${preAuthorizedCodeGrant} `,
]

const similarPins: readonly NearMiss<string>[] = [
  ...similarTexts,
  { what: 'has a zero before it', change: (pin) => `0${pin}`, isLenient: true },
  { what: 'has a decimal point', change: (pin) => `${pin}.0`, isLenient: true },
  { what: 'has a sign before it', change: (pin) => `+${pin}`, isLenient: true },
  {
    what: 'has other digits of Unicode',
    change: (pin) => pin.replace(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit))),
    isLenient: true,
  },
]

const lower = (finding: Finding, { isLenient }: Pick<WrongForm, 'isLenient'>): Finding =>
  finding.kind === 'broken' && isLenient ? { level: 'practice', ...finding } : finding

/**
 * Sends wrong forms for one offer, whose code must then still work: otherwise the rejections may
 * have another reason.
 */
async function findFormsRefused(
  context: IssuerContext,
  formsOf: (code: string) => readonly WrongForm[],
): Promise<Finding> {
  const { resolved } = await readOffer(context)
  const { preAuthorizedCode } = resolved
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const finding = await findEach(formsOf(preAuthorizedCode), async ({ what, form, ...wrong }) => {
    const body = new URLSearchParams(
      form.map(([name, value]): [string, string] => [name, value]),
    ).toString()
    const answer = await askForToken(context, resolved, { body, headers })
    return lower(findWalletRefusal(answer, { what: `The token request with ${what}` }), wrong)
  })
  if (finding.kind === 'inconclusive') return finding
  const form = createTokenRequest({ preAuthorizedCode })
  const { status } = await askForToken(context, resolved, { form })
  // A wrong request that was accepted has used the code.
  return finding.kind === 'broken' || classifyStatus(status) === 'accepted'
    ? finding
    : inconclusive('The correct token request was rejected after the wrong ones: see I10.')
}
