import { type Command, Option } from 'commander'
import type { TxCode } from '#core/oid4vci/credential-offer.ts'
import { acceptOffer } from '#wallet-emulator/actions/accept-offer.ts'
import type { RuleReaction } from '#wallet-emulator/actions/received-credential-policy.ts'
import type { ResolvedOffer } from '#wallet-emulator/actions/resolve-credential-offer.ts'
import { explainRefusal } from '../explain-refusal.ts'
import { ask, isYes, plainText, print, printJson, say } from '../terminal.ts'
import { credentialCard, summarizeCredential } from './credential-card.ts'
import { openWallet, sayEvent } from './open-wallet.ts'
import {
  addFaultOption,
  addNetworkOptions,
  addWaitOption,
  addWalletOptions,
  deferralOf,
  type FaultOption,
  readLink,
  type WaitOption,
  type WalletCommandOptions,
} from './wallet-options.ts'

interface AcceptOptions extends WalletCommandOptions, FaultOption, WaitOption {
  readonly qr?: string
  readonly pin?: string
  readonly yes?: boolean
  readonly policy: RuleReaction
}

/** `testbed wallet accept`: accepts an offer, from its link or QR code to the credential. */
export function addAcceptCommand(parent: Command): void {
  addFaultOption(addWaitOption(addNetworkOptions(addWalletOptions(parent.command('accept')))))
    .description('accept a credential offer')
    .argument('[link]', 'an openid-credential-offer: link')
    .option('--qr <file>', 'a PNG or JPEG file with the QR code of the offer; - for stdin')
    .option('--pin <pin>', 'the PIN of the offer; default: prompt in a terminal')
    .option('-y, --yes', 'skip the confirmation')
    .addOption(
      new Option(
        '--policy <reaction>',
        'what to do with a credential that breaks a rule or cannot be verified',
      )
        .choices(['refuse', 'warn', 'accept'])
        .default('refuse'),
    )
    .action(async (link: string | undefined, _, command: Command) => {
      const options = command.optsWithGlobals<AcceptOptions>()
      await acceptIntoWallet(await readLink('offer', { link, qr: options.qr }), options)
    })
}

/** Accepts an offer into a named wallet and prints its credentials; asks what it needs to know. */
export async function acceptIntoWallet(offerLink: string, options: AcceptOptions): Promise<void> {
  const onEvent = sayEvent(options)
  const { wallet, trust } = await openWallet({ ...options, link: offerLink, onEvent })
  const accepted = await explainRefusal(() =>
    acceptOffer(wallet, offerLink, {
      ...trust,
      ...deferralOf(options),
      policy: { broken: options.policy, unavailable: options.policy },
      consent: async (offer) => {
        describeOffer(offer)
        return options.yes === true || isYes(await ask('Accept this offer? [Y/n] '))
      },
      getPin: (_txCode, { attempt }) => {
        if (options.pin === undefined) return ask('PIN: ')
        return attempt === 1 ? options.pin : undefined
      },
    }),
  )
  if (options.json) {
    return printJson(
      accepted.map(({ credential, verdict }) => ({
        ...summarizeCredential(credential),
        credential: credential.credential,
        verdict,
      })),
    )
  }
  const now = wallet.now()
  for (const { credential } of accepted) {
    print(credentialCard(summarizeCredential(credential), { now }))
  }
}

function describeOffer({ metadata, offered, offer }: ResolvedOffer): void {
  say(`Offer from ${plainText(metadata.credentialIssuer)}`)
  for (const { id, types } of offered)
    say(`  ${plainText(id)} (${types.map(plainText).join(', ')})`)
  if (offer.txCode) say(`  ${describePin(offer.txCode)}`)
}

function describePin({ length, inputMode, description }: TxCode): string {
  const kind = inputMode === 'text' ? 'characters' : 'digits'
  const size = length === undefined ? '' : `, ${length} ${kind}`
  const text = description === undefined ? '' : ` (${plainText(description)})`
  return `PIN${size}${text}`
}
