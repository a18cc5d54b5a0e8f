import type { Command } from 'commander'
import { createControlClient } from '#scenarios/harness/control-client.ts'
import type { Hop } from '#scenarios/harness/z-control-answers.ts'
import type { TestbedFile } from '#scenarios/harness/z-testbed-file.ts'
import { readTestbedFile } from '#testbed/runs/running-testbed.ts'
import { type PresentedCredential, present } from '#wallet-emulator/actions/present.ts'
import type { ResolvedRequest } from '#wallet-emulator/actions/resolve-authorization-request.ts'
import { noMatchingCredential } from '../errors.ts'
import { exitCodes } from '../exit-codes.ts'
import { describeRule, explainRefusal } from '../explain-refusal.ts'
import { ask, isYes, plainText, print, printJson, say } from '../terminal.ts'
import { credentialCard, summarizeCredential } from './credential-card.ts'
import { findCredential, openWallet, sayEvent } from './open-wallet.ts'
import {
  addFaultOption,
  addNetworkOptions,
  addWalletOptions,
  type FaultOption,
  readLink,
  type WalletCommandOptions,
} from './wallet-options.ts'

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
    .option('--credential <id>', 'the credential to present; default: the latest that matches')
    .option('-y, --yes', 'skip the confirmation')
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
            const fitting = candidates.find(({ id }) => id === chosen.id)
            if (fitting === undefined) throw noMatchingCredential(chosen.id)
            return fitting
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
      const { verdict, reasons, rules = [] } = await findPresentationVerdict(presented, testbed)
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
        const [first = ''] = reasons
        say(`✗ The verifier rejected the presentation: ${plainText(first.split(':')[0] ?? '')}`)
        for (const reason of reasons) {
          say(`  ✗ ${plainText(reason)}`)
          const name = reason.split(':')[0] ?? ''
          const own = rules.find(({ rule }) => rule === name)
          for (const line of await describeRule(name, own)) say(`  ${line}`)
        }
      }
      if (redirectUri === undefined) return
      say('Continue in your browser:')
      print(redirectUri)
    })
}

async function askForConsent(
  { request, signed }: ResolvedRequest,
  card: string,
  { yes }: PresentCommandOptions,
): Promise<boolean> {
  say(`Request from ${plainText(request.clientId)}, ${signed ? 'signed' : 'not signed'}`)
  say(`  response to ${plainText(request.responseUri)}`)
  say(card)
  if (yes) return true
  return isYes(await ask('Present this credential? [Y/n] '))
}

/** The verdict of a verifier on a presentation, if available. */
interface PresentationVerdict {
  readonly verdict: 'accepted' | 'rejected' | 'unknown'
  /** Why it was rejected, rule by rule if the rules are known. */
  readonly reasons: readonly string[]
  /** The broken rules, if they are known. */
  readonly rules?: NonNullable<Hop['rules']>
}

const longestWait = 3000

const unknown: PresentationVerdict = { verdict: 'unknown', reasons: [] }

/**
 * Finds the verdict on a presentation: an error in the address at which the holder continues, or
 * what the running testbed recorded. The verifier's answer itself does not depend on the verdict
 * ( profile/verifier, Response endpoint).
 */
async function findPresentationVerdict(
  { redirectUri, request }: PresentedCredential,
  testbed: TestbedFile | undefined,
): Promise<PresentationVerdict> {
  const parameters = new URL(redirectUri ?? 'http://none').searchParams
  const error = parameters.get('error')
  if (error !== null) {
    return { verdict: 'rejected', reasons: [parameters.get('error_description') ?? error] }
  }
  const { responseUri } = request.request
  const environments = Object.entries(testbed?.environments ?? {})
  const [environment] =
    environments.find(([, { verifierBaseUrl }]) => responseUri.startsWith(verifierBaseUrl)) ?? []
  if (testbed === undefined || environment === undefined) return unknown
  return readRecorded(testbed, environment, responseUri).catch(() => unknown)
}

async function readRecorded(
  { control }: TestbedFile,
  environment: string,
  responseUri: string,
): Promise<PresentationVerdict> {
  const hops = await createControlClient({
    ...control,
    environment,
    scenarioId: () => 'command-line',
    signal: AbortSignal.timeout(longestWait),
  }).readTraces(0)
  const { pathname } = new URL(responseUri)
  const posted = hops.findLast(({ method, url }) => method === 'POST' && url.endsWith(pathname))
  if (posted?.rules === undefined) return unknown
  const broken = posted.rules.filter(({ passed }) => !passed)
  if (broken.length > 0) {
    const reasons = broken.map(({ rule, reasons = [] }) => `${rule}: ${reasons.join('; ')}`)
    return { verdict: 'rejected', reasons, rules: broken }
  }
  // The identity provider has additional rules about the subject of the credential.
  const reported = hops.find(
    ({ requestId, url }) => requestId === posted.requestId && url.endsWith('/auth/results'),
  )
  const { status } = (reported?.responseBody ?? {}) as { readonly status?: unknown }
  return status === 'FAILED'
    ? { verdict: 'rejected', reasons: ['the identity provider did not accept the credential'] }
    : { verdict: 'accepted', reasons: [] }
}
