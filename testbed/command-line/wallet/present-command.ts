import type { Command } from 'commander'
import { TestbedError } from '#core/errors/testbed-error.ts'
import { present } from '#wallet-emulator/actions/present.ts'
import type { ResolvedRequest } from '#wallet-emulator/actions/resolve-authorization-request.ts'
import type { StoredCredential } from '#wallet-emulator/store/wallet-store.ts'
import { exitCodes } from '../exit-codes.ts'
import { ask, isYes } from '../terminal/ask.ts'
import { plainText, print, printJson, say } from '../terminal/print.ts'
import { credentialCard } from './credential-card.ts'
import { summarizeCredential } from './credential-summary.ts'
import { explainRefusal } from './explain-refusal.ts'
import { addFaultOption, type FaultOption } from './fault-option.ts'
import { findCredential } from './find-credential.ts'
import { findPresentationVerdict } from './find-presentation-verdict.ts'
import { openWallet } from './open-wallet.ts'
import { readLink } from './read-link.ts'
import { readTestbedFile } from './read-testbed-file.ts'
import { sayEvent } from './say-event.ts'
import { addNetworkOptions, addWalletOptions, type WalletCommandOptions } from './wallet-options.ts'

interface PresentCommandOptions extends WalletCommandOptions, FaultOption {
  readonly qr?: string
  readonly credential?: string
  readonly yes?: boolean
}

/** `testbed wallet present`: answers a presentation request from its link or its QR code. */
export function addPresentCommand(parent: Command): void {
  addFaultOption(addNetworkOptions(addWalletOptions(parent.command('present'))))
    .description('present a credential to a verifier')
    .argument('[link]', 'an openid4vp: link')
    .option('--qr <file>', 'a PNG or JPEG file with the QR code of the request; - for stdin')
    .option('--credential <id>', 'the credential to present; by default the latest that matches')
    .option('-y, --yes', 'do not ask')
    .action(async (link: string | undefined, _, command: Command) => {
      const options = command.optsWithGlobals<PresentCommandOptions>()
      const requestLink = await readLink('request', { link, qr: options.qr })
      const { wallet, trust } = await openWallet({
        ...options,
        link: requestLink,
        onEvent: sayEvent(options),
      })
      const chosen =
        options.credential === undefined
          ? undefined
          : await findCredential(wallet.store, options.credential)
      const presented = await explainRefusal(() =>
        present(wallet, requestLink, {
          ...trust,
          select: ({ candidates }) => {
            if (chosen === undefined) return candidates[0]
            return candidates.find(({ id }) => id === chosen.id) ?? notWhatIsAsked(chosen)
          },
          consent: (resolved, selected) =>
            askForConsent(
              resolved,
              credentialCard(summarizeCredential(selected), { now: wallet.now() }),
              options,
            ),
        }),
      )
      const { redirectUri, credential, request } = presented
      const testbed = await readTestbedFile(options.data)
      const { verdict, reasons } = await findPresentationVerdict(presented, testbed)
      if (verdict === 'rejected') process.exitCode = exitCodes.failed
      const { clientId } = request.request
      if (options.json) {
        return printJson({
          presented: credential.id,
          clientId,
          signed: request.signed,
          verdict,
          reasons,
          ...(redirectUri === undefined ? {} : { redirectUri }),
        })
      }
      if (verdict === 'accepted') say('✓ The verifier accepted the presentation.')
      else if (verdict === 'unknown') say('Sent. The verifier did not report a verdict.')
      else {
        say('✗ The verifier rejected the presentation:')
        for (const reason of reasons) say(`  ✗ ${plainText(reason)}`)
      }
      if (redirectUri === undefined) return
      say('Go on in your browser:')
      print(redirectUri)
    })
}

async function askForConsent(
  { request, signed }: ResolvedRequest,
  card: string,
  { yes }: PresentCommandOptions,
): Promise<boolean> {
  say(`Request of ${plainText(request.clientId)}, ${signed ? 'signed by it' : 'not signed'}`)
  say(`  answered to ${plainText(request.responseUri)}`)
  say(card)
  if (yes) return true
  return isYes(await ask('Present this credential? [Y/n] '))
}

function notWhatIsAsked({ id }: StoredCredential): never {
  throw new TestbedError({
    code: 'no_matching_credential',
    status: 400,
    message: `The credential ${id} is not what the request asks for.`,
  })
}
