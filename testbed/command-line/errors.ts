import { isTestbedError, TestbedError } from '#core/errors/testbed-error.ts'
import { parseJson } from '#core/json/read-json.ts'
import { explainRefusedRequest } from '#core/profile/refused-requests.ts'
import { placeOfParagraph, programCommand, startCommand } from '#scenarios/harness/command-line.ts'

/** The user did not confirm. */
export const declined = (message: string) =>
  new TestbedError({ code: 'declined', status: 400, message })

export const notStarted = (cause: unknown) =>
  new TestbedError({
    code: 'not_started',
    status: 500,
    message: `The testbed did not start: ${cause instanceof Error ? cause.message : cause}`,
    hints: isTestbedError(cause) ? cause.hints : [],
    cause,
  })

/** `isRunning`: a testbed uses the folder `data`, but without this environment. */
export const environmentNotRunning = ({
  data,
  environment,
  isRunning,
}: {
  readonly data: string
  readonly environment: string
  readonly isRunning: boolean
}) =>
  new TestbedError({
    code: 'not_running',
    status: 503,
    message: isRunning
      ? `The testbed in ${data} has no environment ${environment}.`
      : `No testbed is using ${data}.`,
    hints: [
      `Start one with \`${startCommand}\`, or specify the addresses of third-party registries (--help).`,
    ],
  })

export const testbedNotRunning = (data: string, cause?: unknown) =>
  new TestbedError({
    code: 'not_running',
    status: 503,
    message: `No testbed is using ${data}.`,
    hints: [`Start one with \`${startCommand}\`, or name its data folder with --data.`],
    cause,
  })

export const consoleLinkRefused = (status: number, answer: string) =>
  new TestbedError({
    code: 'console_link_refused',
    status: 502,
    message: `The testbed did not create a link to its console (HTTP ${status}): ${answer.slice(0, 300)}`,
  })

/** `registryUrl`: that of --did-registry, if given. */
export const notRegistered = (
  did: string,
  {
    isForNow,
    registryUrl,
  }: { readonly isForNow: boolean; readonly registryUrl: string | undefined },
) =>
  new TestbedError({
    code: 'not_registered',
    status: 404,
    message: `The registry does not know ${did}${isForNow ? '' : ' at that time'}.`,
    hints: [
      isForNow
        ? `Register a DID with ${programCommand} did register.`
        : 'It may have been registered later: omit --valid-at for the current document.',
      // Any server may return 404 at an address that is not a registry's.
      ...(registryUrl ? [`Is ${registryUrl} the DID registry's address?`] : []),
    ],
  })

export const unknownCall = () =>
  new TestbedError({
    code: 'unknown_call',
    status: 400,
    message: 'The effect of this transaction is unknown, so it was not signed.',
    hints: ['--allow-unknown signs it anyway, for example for a third-party registry.'],
  })

export const walletMissing = (wallet: string, folder: string) =>
  new TestbedError({
    code: 'wallet_missing',
    status: 404,
    message: `There is no wallet "${wallet}" in ${folder}.`,
    hints: [
      `${programCommand} wallet create${wallet === 'default' ? '' : ` --wallet ${wallet}`} creates one.`,
    ],
  })

/** `ids`: of all credentials in the wallet. */
export const credentialMissing = (text: string, ids: readonly string[]) =>
  new TestbedError({
    code: 'credential_missing',
    status: 404,
    message: `There is no credential "${text}" in this wallet.`,
    hints: ids,
  })

export const ambiguousCredential = (text: string, ids: readonly string[]) =>
  new TestbedError({
    code: 'invalid_option',
    status: 404,
    message: `Several credentials begin with "${text}".`,
    hints: ids,
  })

export const noMatchingCredential = (id: string) =>
  new TestbedError({
    code: 'no_matching_credential',
    status: 400,
    message: `The credential ${id} does not match the request.`,
  })

export const unknownOrganization = (name: string, known: readonly string[]) =>
  new TestbedError({
    code: 'unknown_organization',
    status: 404,
    message: `The testbed does not have an organization "${name}".`,
    hints: [`It has ${known.join(', ')}.`],
  })

/** The issuer's answer is for the person: its message says what is wrong with the request. */
export function issuerRefused(
  status: number,
  answer: string,
  { path, body }: { readonly path: string; readonly body: unknown },
) {
  const unmet = explainRefusedRequest({
    to: 'issuer',
    url: `/issuance/${path}`,
    status,
    requestBody: body,
    responseBody: parseJson(answer),
  })
  const message = `The issuer returned HTTP ${status}: ${descriptionIn(answer)}`
  return new TestbedError({
    code: 'issuer_refused',
    status: status < 500 ? 400 : 502,
    message: unmet === undefined ? message : `${unmet.rule}: ${message}`,
    hints:
      unmet === undefined
        ? []
        : [
            `Expected: ${unmet.statement}`,
            ...unmet.reasons.slice(1).map((found) => `Found: ${found}`),
            `Fix: ${unmet.fix}`,
            `See: ${placeOfParagraph(unmet.paragraph)}`,
          ],
  })
}

/** The `error_description` of an answer and the missing members, else the answer itself. */
function descriptionIn(answer: string): string {
  const { error_description: description, missing = [] } = Object(parseJson(answer))
  const members = [missing].flat().join(', ')
  if (typeof description !== 'string') return answer.slice(0, 500)
  return members === '' ? description : `${description} (${members})`
}

export const unreadableOffer = (reason: string) =>
  new TestbedError({
    code: 'unreadable_offer',
    status: 502,
    message: `The issuer returned an image without a readable QR code: ${reason}.`,
  })

/** `id` or `wallet`: what the user named. */
export function noRevocableCredential(
  { id, wallet }: { readonly id?: string | undefined; readonly wallet?: string | undefined },
  isRevoked: boolean,
) {
  const [revoked, unknown] =
    id === undefined
      ? [`Every credential in the wallet "${wallet}"`, `any credential in the wallet "${wallet}"`]
      : [`The credential ${id}`, `the credential ${id}`]
  return new TestbedError({
    code: 'credential_not_found',
    status: 404,
    message: isRevoked
      ? `${revoked} is already revoked.`
      : `No organization of the testbed issued ${unknown}.`,
    hints: [`List them with ${programCommand} revoke.`],
  })
}
