import { z } from 'zod'
import { parseJson } from '#core/json/read-json.ts'
import { evaluateCredentialOfferUri } from '#core/oid4vci/credential-offer.ts'
import { preAuthorizedCodeGrant } from '#core/oid4vci/token.ts'
import { broken, defineChecks, endCheck, held, inconclusive } from '../../../kit/check.ts'
import { classifyStatus, findRefusal, problemsIn } from '../../../kit/classify-answer.ts'
import { allHeld } from '../../../kit/find-each.ts'
import type { IssuerContext } from '../context.ts'
import { readOffer, redeemCode, sendPin, wrongPin } from '../redeeming.ts'
import { findAcceptance, findWalletRefusal } from '../refusals.ts'

const guesses = 10

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

export const checks = defineChecks<IssuerContext>({
  'I08-tx-code': {
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
      return broken(
        `tx_code of an offer with a PIN is not as documented: ${problemsIn(txCode.error)}.`,
        {
          expected: '{length, input_mode, description}',
          actual,
          verdictSource,
        },
      )
    },
  },
  'I17-pin-wrong': {
    title: 'A wrong PIN does not yield a token',
    level: 'spec',
    expectation: 'refuse',
    control: 'pin-offer',
    rows: ['1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.5'],
    clauses: ['OpenID4VCI 1.0, 6.3'],
    description:
      'The PIN prevents an attacker who photographed the QR code from getting the credential.',
    sends:
      'A PIN with the right length and characters but a wrong last digit, then the correct PIN.',
    decides:
      'The token endpoint rejects the wrong PIN with 4xx, in OpenID4VCI with invalid_grant. The result shows whether the correct PIN still works afterwards; both are allowed.',
    fix: 'Compare tx_code in the token request with the PIN of the offer. If they differ, return 400 invalid_grant, without a token.',
    needs: ['pin'],
    async run(context) {
      const offer = await readOffer(context, { kind: 'pin' })
      const { pin = '' } = offer.made
      const finding = await findWalletRefusal(await sendPin(context, offer, wrongPin(pin)), {
        what: 'The token request with a wrong PIN',
        errors: ['invalid_grant'],
      })
      if (finding.kind !== 'held') return finding
      const after = classifyStatus((await sendPin(context, offer, pin)).status)
      if (after === 'accepted') return allHeld([finding, held('The correct PIN still works.')])
      return after === 'refused'
        ? allHeld([finding, held('The wrong PIN ended the offer.')])
        : inconclusive('After the wrong PIN there was no verdict of the token endpoint.')
    },
  },
  'I19-pin-guessed': {
    title: 'Repeated wrong PINs end only the offer that they were sent for',
    level: 'practice',
    expectation: 'advice',
    control: 'pin-offer',
    clauses: ['RFC 6749, 10.10'],
    description:
      'Without a limit an attacker guesses a PIN of four digits within minutes. OpenID4VCI 1.0 does not set a limit; the drafts of 1.1 do. If all offers share one counter, an attacker with one offer ends those of all holders.',
    sends: `${guesses} wrong PINs for one offer, then the correct PIN, the correct PIN of an earlier offer and, if the clock can be moved, the first one again a minute later.`,
    decides:
      'The correct PIN of the offer is also rejected with 4xx each time: the code has ended. That of the earlier offer returns a token, unless a new offer ends the earlier ones anyway.',
    fix: 'Count the wrong PINs of each offer separately. After a few, such as five, invalidate its pre-authorized_code, and return 400 invalid_grant for the correct PIN too.',
    needs: ['pin'],
    async run(context) {
      const [control, earlier, offer] = [
        await readOffer(context, { kind: 'pin' }),
        await readOffer(context, { kind: 'pin' }),
        await readOffer(context, { kind: 'pin' }),
      ]
      const isKept = classifyStatus((await redeemCode(context, control)).status) === 'accepted'
      const { pin = '' } = offer.made
      for (let guess = 1; guess <= guesses; guess++) {
        const what = `Guess ${guess}`
        // The first nine are all different; the tenth repeats the first.
        const finding = findRefusal(
          await sendPin(context, offer, wrongPin(pin, ((guess - 1) % 9) + 1)),
          {
            what,
          },
        )
        if (finding.kind !== 'held') {
          const details = finding.isOutage ? ({ isOutage: true } as const) : {}
          return inconclusive(`${what} was not rejected: see I17.`, details)
        }
      }
      const ended = findWalletRefusal(await sendPin(context, offer, pin), {
        what: `The correct PIN after ${guesses} wrong ones`,
      })
      if (ended.kind !== 'held') return ended
      const findings = [ended]
      if (isKept) {
        // An issuer that now rejects every offer must not fail the control of this check.
        context.proven.add('pin-offer')
        const what = 'The correct PIN of another offer'
        const kept = findAcceptance(await redeemCode(context, earlier), what)
        if (kept.kind !== 'held') return kept
        findings.push(kept)
      }
      if (!context.can('clock')) return allHeld(findings)
      await context.advanceClock(61)
      const later = findWalletRefusal(await sendPin(context, offer, pin), {
        what: `The correct PIN a minute after ${guesses} wrong ones`,
      })
      return later.kind === 'held' ? allHeld([...findings, later]) : later
    },
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
