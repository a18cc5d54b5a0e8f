import type { TxCode } from '#core/oid4vci/credential-offer.ts'
import { preAuthorizedCodeGrant } from '#core/oid4vci/token.ts'
import { acceptOfferLink } from '#scenarios/fixtures/accept-offer.ts'
import { callWalletEndpoint, otherPinOf } from '#scenarios/fixtures/wallet-endpoints.ts'
import { expectWalletRefusal } from '#scenarios/fixtures/wallet-refusals.ts'
import { cite, defineScenario, oneAlgorithm } from '#scenarios/harness/define-scenario.ts'
import {
  expectEqual,
  expectIncludes,
  expectJson,
  expectMatch,
} from '#scenarios/harness/expectations.ts'
import { acceptOffer } from '#wallet-emulator/actions/accept-offer.ts'
import { type PinAttempt, requestToken } from '#wallet-emulator/actions/request-token.ts'
import { resolveCredentialOffer } from '#wallet-emulator/actions/resolve-credential-offer.ts'

const numericPin = [4, 5, 6, 7, 8].map((length, index) =>
  defineScenario({
    id: `issuance/numeric-pin-${length}-digits`,
    title: `An offer with a PIN of ${length} digits`,
    algorithms: oneAlgorithm(index),
    description: `
The offer is in the QR code, and the PIN arrives **through another channel** (a message, a letter), so a
photograph of the screen is not sufficient. \`tx_code\` contains what the wallet asks its holder for: the
number of characters, their kind, and a description.`,
    references: cite(
      'Profile: 1.resources-and-their-fields/credential-offer-object.3, 1.resources-and-their-fields/credential-offer-object.4',
      'Profile: 1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.5',
    ),

    async run(context) {
      const { step, control } = context
      const wallet = context.createWallet()
      const description = `The ${length} digits in the letter`

      const { offerUri, pin } = await step('The issuer creates an offer with a PIN', () =>
        control.createOffer({ txCode: { length, inputMode: 'numeric', description } }),
      )
      await step(`The PIN has ${length} digits and is not in the link`, () => {
        expectMatch('the PIN', pin, new RegExp(`^[0-9]{${length}}$`))
        const offer = JSON.parse(new URL(offerUri).searchParams.get('credential_offer') ?? '{}')
        const [grant] = Object.values(offer.grants) as { tx_code: unknown }[]
        const expected = { length, input_mode: 'numeric', description }
        expectEqual('tx_code, which does not contain the PIN', grant?.tx_code, expected)
      })
      const asked: TxCode[] = []
      await step('The wallet asks its holder once and gets the credential', async () => {
        const getPin = (txCode: TxCode) => {
          asked.push(txCode)
          return pin
        }
        await acceptOfferLink(context, wallet, offerUri, { getPin })
        expectEqual('the prompts', asked, [{ length, inputMode: 'numeric', description }])
      })
    },
  }),
)

const textPin = defineScenario({
  id: 'issuance/text-pin',
  title: 'An offer with a PIN of letters and digits',
  algorithms: ['EdDSA'],
  description: `
With \`input_mode\` **text** the wallet must show a full keyboard. The PIN does not contain characters
that people confuse when they read it on paper. It is case-sensitive: in lower case it is rejected, and
the offer remains valid.`,
  references: cite(
    'Profile: 1.resources-and-their-fields/credential-offer-object.4',
    'OpenID4VCI 1.0: 4.1.1, 6.3',
  ),

  async run(context) {
    const { step, control } = context
    const wallet = context.createWallet()

    const { offerUri, pin = '' } = await step('The issuer creates an offer with such a PIN', () =>
      control.createOffer({ txCode: { length: 10, inputMode: 'text' } }),
    )
    const { offer, preAuthorizedCode } = await step('The offer says what to ask for', async () => {
      const resolved = await resolveCredentialOffer(wallet, offerUri)
      expectIncludes('tx_code', { ...resolved.offer.txCode }, { length: 10, inputMode: 'text' })
      expectMatch('its description for the holder', resolved.offer.txCode?.description, /\w/)
      return resolved
    })
    await step('The PIN can be read from paper', () => {
      expectMatch('the PIN', pin, /^[A-HJ-NP-Z2-9]{10}$/)
      expectEqual('its length', pin.length, offer.txCode?.length)
    })
    await step('The PIN in another case is rejected', async () => {
      const form = {
        grant_type: preAuthorizedCodeGrant,
        'pre-authorized_code': preAuthorizedCode,
        // A PIN of digits has no other case. A PIN with an additional character is wrong too.
        tx_code: pin.toLowerCase() === pin ? `${pin}A` : pin.toLowerCase(),
      }
      const answer = await callWalletEndpoint(context, 'token', { form })
      expectEqual('the error', expectJson(answer, 400).error, 'invalid_grant')
    })
    await step('With the correct PIN the wallet gets the credential', () =>
      acceptOfferLink(context, wallet, offerUri, { getPin: () => pin }),
    )
  },
})

const wrongPinThenRight = defineScenario({
  id: 'issuance/wrong-pin-then-right',
  title: 'A mistyped PIN is rejected, and the correct one works afterwards',
  algorithms: ['ES256K'],
  description: `
People mistype. Each wrong attempt results in **invalid_grant** with a description that the wallet can
show. The offer remains valid, and the correct PIN yields the credential. A missing or malformed PIN
(too short, letters instead of digits) does not yield a token either.`,
  references: cite(
    'Profile: 1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.5',
    'OpenID4VCI 1.0: 6.3',
    'Assumptions: A-25, A-36',
  ),

  async run(context) {
    const { step, control } = context
    const wallet = context.createWallet()

    const { offerUri, pin = '' } = await step('The issuer creates an offer with a PIN', () =>
      control.createOffer({ txCode: { length: 6 } }),
    )
    await step('A wallet whose holder enters no PIN does not send a request', () =>
      expectWalletRefusal('the acceptance', acceptOffer(wallet, offerUri), {
        code: 'pin_required',
      }),
    )
    await step('The holder mistypes it', () =>
      expectWalletRefusal(
        'the wrong PIN',
        acceptOffer(wallet, offerUri, { getPin: () => otherPinOf(pin) }),
        { code: 'token_refused', status: 400, error: 'invalid_grant', description: /tx_code|PIN/i },
      ),
    )
    await step('A missing or malformed PIN does not yield a token', async () => {
      const { preAuthorizedCode } = await resolveCredentialOffer(wallet, offerUri)
      const grant = { grant_type: preAuthorizedCodeGrant, 'pre-authorized_code': preAuthorizedCode }
      for (const [form, error] of [
        [grant, 'invalid_request'],
        [{ ...grant, tx_code: pin.slice(1) }, 'invalid_grant'],
        [{ ...grant, tx_code: 'abcdef' }, 'invalid_grant'],
      ] as const) {
        const body = expectJson(await callWalletEndpoint(context, 'token', { form }), 400)
        expectEqual('the error', body.error, error)
        expectEqual('the token', body.access_token, undefined)
      }
      expectEqual("the wallet's credentials", await wallet.store.listCredentials(), [])
    })
    await step(
      'The holder mistypes it once more, is asked again, and enters it correctly',
      async () => {
        const asked: number[] = []
        const getPin = (_: TxCode, { attempt }: PinAttempt) => {
          asked.push(attempt)
          return attempt === 1 ? otherPinOf(pin) : pin
        }
        // Four attempts were wrong: the fifth would be the last.
        await acceptOfferLink(context, wallet, offerUri, { getPin })
        expectEqual('the attempts', asked, [1, 2])
      },
    )
  },
})

/** Assumption A-36: a wrong PIN 5 times ends the offer. */
const mostAttempts = 5

const pinTriesUsedUp = defineScenario({
  id: 'issuance/pin-tries-used-up',
  title: 'Five wrong PINs end the offer',
  algorithms: ['EdDSA'],
  description: `
An attacker photographs the QR code and **guesses** the PIN. Four digits can be guessed within minutes, so
the fifth wrong attempt ends the offer for all wallets: the correct PIN no longer works. The holder asks
for a new offer, which works.`,
  references: cite('RFC 6749: 10.10', 'Assumptions: A-36'),

  async run(context) {
    const { step, control } = context
    const thief = context.createWallet()
    const wallet = context.createWallet()

    const offer = { txCode: { length: 4 } } as const
    const { offerUri, pin = '' } = await step('The issuer creates an offer with a PIN', () =>
      control.createOffer(offer),
    )
    const refused = { code: 'token_refused', status: 400, error: 'invalid_grant' } as const
    await step(`An attacker tries ${mostAttempts} wrong PINs`, async () => {
      const resolved = await resolveCredentialOffer(thief, offerUri)
      for (let attempt = 1; attempt <= mostAttempts; attempt++) {
        const guess = requestToken(thief, resolved, { getPin: () => otherPinOf(pin) })
        const description = attempt < mostAttempts ? /wrong/i : /new/i
        await expectWalletRefusal(`attempt ${attempt}`, guess, { ...refused, description })
      }
    })
    await step('The correct PIN no longer works', async () => {
      const resolved = await resolveCredentialOffer(wallet, offerUri)
      const attempt = requestToken(wallet, resolved, { getPin: () => pin })
      await expectWalletRefusal('the right PIN', attempt, refused)
      expectEqual("the wallet's credentials", await wallet.store.listCredentials(), [])
    })
    await step('A new offer works', async () => {
      const { offerUri: next, pin: nextPin } = await control.createOffer(offer)
      await acceptOfferLink(context, wallet, next, { getPin: () => nextPin })
    })
  },
})

const unwantedPin = defineScenario({
  id: 'issuance/unwanted-pin',
  title: 'An unexpected PIN is rejected, and the offer remains valid',
  algorithms: ['ES256K'],
  description: `
A wallet sends a \`tx_code\` although the offer has none. The wallet may have shown its holder a different
offer from the one that it redeems. The token endpoint answers **invalid_request** and keeps the code for
a wallet that sends the documented request.`,
  references: cite(
    'Profile: 1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.5',
    'OpenID4VCI 1.0: 6.3',
  ),

  async run(context) {
    const { step, control } = context
    const wallet = context.createWallet()

    const { offerUri } = await step('The issuer creates an offer without a PIN', () =>
      control.createOffer(),
    )
    await step('A wallet sends a PIN anyway', async () => {
      const { preAuthorizedCode } = await resolveCredentialOffer(wallet, offerUri)
      const form = {
        grant_type: 'urn:ietf:params:oauth:grant-type:pre-authorized_code',
        'pre-authorized_code': preAuthorizedCode,
        tx_code: '123456',
      }
      const body = expectJson(await callWalletEndpoint(context, 'token', { form }), 400)
      expectEqual('the error', body.error, 'invalid_request')
      expectEqual('the token', body.access_token, undefined)
    })
    await step('Without a PIN the offer works', () => acceptOfferLink(context, wallet, offerUri))
  },
})

export const scenarios = [...numericPin, textPin, wrongPinThenRight, pinTriesUsedUp, unwantedPin]
