import { createControlClient } from '#scenarios/harness/control-client.ts'
import type { TestbedFile } from '#scenarios/harness/z-testbed-file.ts'
import type { PresentedCredential } from '#wallet-emulator/actions/present.ts'

/** What a verifier decided about a presentation, where that can be known. */
export interface PresentationVerdict {
  readonly verdict: 'accepted' | 'rejected' | 'unknown'
  /** Why it was rejected, rule by rule where the rules are known. */
  readonly reasons: readonly string[]
}

const longestWait = 3000
const unknown: PresentationVerdict = { verdict: 'unknown', reasons: [] }

/**
 * Finds the verdict on a presentation: an error in the address at which the holder continues, or what
 * the running testbed recorded. The verifier's answer itself is the same either way (document 1,
 * Endpoint a verifier exposes to the wallet).
 */
export async function findPresentationVerdict(
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
    return { verdict: 'rejected', reasons }
  }
  // The identity provider has rules of its own about who the credential is for.
  const reported = hops.find(
    ({ requestId, url }) => requestId === posted.requestId && url.endsWith('/auth/results'),
  )
  const { status } = (reported?.responseBody ?? {}) as { readonly status?: unknown }
  return status === 'FAILED'
    ? { verdict: 'rejected', reasons: ['the identity provider did not accept the credential'] }
    : { verdict: 'accepted', reasons: [] }
}
