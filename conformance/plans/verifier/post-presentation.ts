import { isTestbedError } from '#core/errors/testbed-error.ts'
import { fetchBy } from '#scenarios/harness/http-client.ts'
import { submitPresentation } from '#wallet-emulator/actions/present.ts'
import { createWallet } from '#wallet-emulator/create-wallet.ts'
import type { CheckBase } from '../../kit/check.ts'
import { issueCredential } from '../../world/issue-credential.ts'
import type { OpenTrustWorld } from '../../world/open-trust-world.ts'
import type { OpenedRequest, PostAnswer, PresentationOptions } from './context.ts'
import { requestToAnswer } from './open-request.ts'
import { createUsualAccount } from './usual-account.ts'

const longestWait = 15_000

/** After this number of presentations in a row without a response, the next one rarely gets one. */
const mostUnanswered = 3
const shortestWait = 2000

/** How many presentations in a row the verifier has not responded to, in this run. */
export interface Silence {
  unanswered: number
}

const adviceOnSilence = (waited: number) =>
  `Look in the log of the verifier: its handler failed, or it waits for a service for more than ${waited / 1000} s.`

/** Presents a credential of the trust world with the wallet emulator and the given deviations. */
export async function postPresentation(
  opened: OpenedRequest,
  options: PresentationOptions,
  { world }: OpenTrustWorld,
  { httpAs, signal, now, silence = { unanswered: 0 } }: CheckBase & { readonly silence?: Silence },
): Promise<PostAnswer> {
  const timeoutMilliseconds = silence.unanswered < mostUnanswered ? longestWait : shortestWait
  const request = requestToAnswer(opened)
  const { account = createUsualAccount(), faults = [], defect, issuer, issuedAt = now() } = options
  const statuses: number[] = []
  let response: Response | undefined
  const send = fetchBy(httpAs('wallet').request)
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const received = await send(input, init)
    response = received.clone()
    return received
  }
  const wallet = createWallet({
    account,
    faults,
    now,
    http: {
      fetch,
      allowPrivateAddresses: true,
      signal,
      timeoutMilliseconds,
    },
    onEvent: (event) => event.type === 'http' && statuses.push(event.status),
  })
  const credential =
    options.createCredential?.(account.did) ??
    issueCredential(world, {
      holderDid: account.did,
      now: issuedAt,
      ...(defect && { defect }),
      ...(issuer && { issuer }),
    })
  const queryId = request.dcqlQuery.credentials[0]?.id ?? ''
  const answered = async (status: number) => ({
    status,
    reason: `The response endpoint returned HTTP ${status}.`,
    ...(response && { content: await readContent(response) }),
  })
  try {
    const { redirectUri } = await submitPresentation(wallet, { request, queryId, credential })
    silence.unanswered = 0
    const redirect = redirectUri === undefined ? {} : { redirectUri }
    return { ...(await answered(statuses.at(-1) ?? 200)), ...redirect }
  } catch (error) {
    if (!isTestbedError(error)) throw error
    if (error.code === 'unreachable' || error.code === 'no_answer') {
      silence.unanswered++
      return { status: 0, reason: `${error.message}. ${adviceOnSilence(timeoutMilliseconds)}` }
    }
    silence.unanswered = 0
    if (error.code === 'redirect_refused') return { status: 302, reason: error.message }
    if (error.code !== 'presentation_refused') throw error
    return { ...(await answered(statuses.at(-1) ?? 0)), reason: error.message }
  }
}

/** An answer that breaks off has no body. */
async function readContent(response: Response): Promise<NonNullable<PostAnswer['content']>> {
  const body = await response.text().catch(() => '')
  return { body, header: (name) => response.headers.get(name) }
}
