import { z } from 'zod'
import { isTestbedError, TestbedError } from '#core/errors/testbed-error.ts'
import { explainRefusedRequest } from '#core/profile/refused-requests.ts'
import { paragraphOfRule } from '#core/profile/rule-paragraphs.ts'
import type { VerificationFailure } from '#core/verification/rules.ts'
import { placeOfParagraph, programCommand, startCommand } from '#scenarios/harness/command-line.ts'
import { plainText, say } from './terminal.ts'

/** Names the wallet: without `--wallet`, the command removes the default one. */
const removeWallet = `${programCommand} wallet remove --all --wallet NAME`

/** Hints for errors of the wallet, which does not know this command line. */
const hintsByCode: Readonly<Record<string, string>> = {
  unknown_fault: `${programCommand} wallet faults lists them.`,
  pin_required: 'Specify the PIN with --pin, or run the command in a terminal.',
  address_refused: '--allow-private-addresses lets the wallet reach this machine and its network.',
  passphrase_required: 'Open it with the library (createPassphraseCodec). The command line cannot.',
  store_damaged: `Restore the file, or remove the wallet with ${removeWallet}.`,
  wallet_exists: `Choose another --wallet, or remove this one with ${removeWallet}.`,
}

/**
 * Runs the work. If it is rejected for broken rules, prints each of them, then rethrows the error
 * with a hint about the options of the command line.
 */
export async function explainRefusal<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!isTestbedError(error)) throw error
    const { code, status, message, hints, cause, extra } = error
    const { failures } = extra
    for (const line of await explainFailures(failures ?? unmetIn(error))) say(line)
    const hint = hintsByCode[code] ?? addressHint(error)
    throw new TestbedError({
      code,
      status,
      message: plainText(message),
      hints: hint === undefined ? hints : [...hints, hint],
      cause,
      extra,
    })
  }
}

/** For a dependency that did not answer: the detail of its error contains the address. */
function addressHint({ code, detail = '' }: TestbedError): string | undefined {
  const [address] = /https?:\/\/[^/\s]+/.exec(detail) ?? []
  if (code !== 'dependency_unavailable' || address === undefined) return undefined
  return `Check the address ${address}, or start the testbed with \`${startCommand}\`.`
}

/** The wallet's requests that an issuer rejects, by the code of the wallet's error. */
const rejectedPaths: Readonly<Record<string, string>> = {
  token_refused: '/token',
  credential_refused: '/credential',
}

const zAnswer = z.object({
  status: z.int(),
  error: z.string().optional(),
  errorDescription: z.string().optional(),
})

/** The requirement of the profile that the wallet's request did not meet, as broken rules. */
function unmetIn({ code, extra }: TestbedError): readonly ExplainedFailure[] {
  const answer = zAnswer.safeParse(extra.answer).data
  const url = rejectedPaths[code]
  if (answer === undefined || url === undefined) return []
  const { status, error, errorDescription: error_description } = answer
  const responseBody = { error, error_description }
  const unmet = explainRefusedRequest({ to: 'connector', url, status, responseBody })
  if (unmet === undefined) return []
  return [{ ...unmet, path: '', reason: unmet.reasons.join('; ') }]
}

/**
 * What a rule requires, how to fix a message that breaks it, and where it is described. A service
 * has rules that only its own texts describe.
 */
export async function describeRule(
  rule: string,
  own: { readonly statement?: string | undefined; readonly fix?: string | undefined } = {},
): Promise<string[]> {
  const { findRuleText } = await import('#core/explanation/rule-texts.ts')
  const { statement, fix } = findRuleText(rule) ?? own
  return formatDetails({ Expected: statement, Fix: fix, See: paragraphOfRule(rule) })
}

const formatDetails = ({ See, ...details }: Readonly<Record<string, string | undefined>>) =>
  Object.entries({ ...details, See: See && placeOfParagraph(See) }).flatMap(([label, text]) =>
    text === undefined ? [] : `    ${label}: ${text}`,
  )

interface ExplainedFailure extends VerificationFailure {
  readonly statement?: string
  readonly fix?: string
  readonly paragraph?: string
}

/** Each broken rule, then indented what it requires, what was found, and where it is described. */
async function explainFailures(failures: unknown): Promise<string[]> {
  if (!Array.isArray(failures) || failures.length === 0) return []
  const { findRuleText } = await import('#core/explanation/rule-texts.ts')
  return (failures as ExplainedFailure[]).flatMap((failure) => {
    const { rule, got } = failure
    const text = findRuleText(rule)
    const {
      statement = text?.statement,
      fix = text?.fix,
      paragraph = paragraphOfRule(rule),
    } = failure
    const found = got === undefined ? undefined : plainText(JSON.stringify(got)).slice(0, 300)
    const details = formatDetails({ Expected: statement, Found: found, Fix: fix, See: paragraph })
    return [`✗ ${describeFailure(failure)}`, ...details]
  })
}

/**
 * Formats a broken rule for the terminal, with its location: a rule may be broken in several
 * places.
 */
export function describeFailure({ rule, path, reason }: VerificationFailure): string {
  return `${rule}${path === '' ? '' : ` (${plainText(path)})`}: ${plainText(reason)}`
}
