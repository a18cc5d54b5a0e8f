import { isJsonObject } from '#core/json/json-object.ts'
import { parseJson } from '#core/json/read-json.ts'
import { readBody } from '../../kit/evidence/exchange-log.ts'

/** Why the checks of a plan would not say anything about the system, found before the first one. */
export interface PreflightProblem {
  /** Stable name of the kind of problem, for example `self-signed`. */
  readonly code: string
  /** The member of the target that is probably wrong: `client.clientSecret`. */
  readonly member: string
  /** What is wrong, as a sentence. */
  readonly message: string
  /** What to do, as a sentence. */
  readonly advice: string
}

export const problem = (
  code: string,
  member: string,
  message: string,
  advice: string,
): PreflightProblem => ({ code, member, message, advice })

export interface ProbeOptions {
  /** The member of the target with the address. */
  readonly member: string
  readonly method?: string | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly body?: string | undefined
  /** Statuses that are not a problem. By default 2xx. */
  readonly allows?: ((status: number) => boolean) | undefined
  readonly signal: AbortSignal
}

/** An answer of the system, or why there is none. */
export type Probe =
  | { readonly problem: PreflightProblem }
  | {
      readonly problem?: undefined
      readonly status: number
      /** Where it redirects to; null if it does not. */
      readonly location: string | null
      readonly text: string
      /** Undefined if the answer is not JSON. */
      readonly json: unknown
    }

type Words = readonly [code: string, message: string, advice: string]

const certificateAdvice =
  'Name the PEM file of its certificate authority in the target file (tls: { ca: ca.pem }), or in NODE_EXTRA_CA_CERTS.'

/** Errors of the network and of TLS, by the code of Node. */
const networkErrors: Readonly<Record<string, Words>> = {
  ENOTFOUND: ['unknown-host', 'The host name does not exist', 'Check the spelling of the host.'],
  EAI_AGAIN: ['unknown-host', 'The host name cannot be looked up', 'Check the host and the DNS.'],
  ECONNREFUSED: [
    'nothing-listens',
    'Nothing listens on this port',
    'Check the port, and that the system runs.',
  ],
  EHOSTUNREACH: ['unreachable', 'The host is not reachable', 'Check the address and the network.'],
  ENETUNREACH: [
    'unreachable',
    'The network is not reachable',
    'Check the address and the network.',
  ],
  DEPTH_ZERO_SELF_SIGNED_CERT: ['self-signed', 'The certificate is self-signed', certificateAdvice],
  SELF_SIGNED_CERT_IN_CHAIN: ['self-signed', 'The certificate is self-signed', certificateAdvice],
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: [
    'unknown-authority',
    'The certificate was issued by an unknown authority',
    certificateAdvice,
  ],
  CERT_HAS_EXPIRED: ['certificate-expired', 'The certificate has expired', 'Renew it.'],
  ERR_TLS_CERT_ALTNAME_INVALID: [
    'certificate-name',
    'The certificate is for another host name',
    'Use the name in the certificate.',
  ],
  ERR_SSL_WRONG_VERSION_NUMBER: ['not-https', 'The server does not speak https', 'Use http://.'],
  ERR_SSL_PACKET_LENGTH_TOO_LONG: ['not-https', 'The server does not speak https', 'Use http://.'],
  EPROTO: ['not-https', 'The server does not speak https', 'Use http://.'],
  ECONNRESET: [
    'connection-closed',
    'The server closes the connection without a response',
    'Check the port, and whether the server expects https://.',
  ],
}

const otherError: Words = ['not-http', 'The server does not speak HTTP', 'Check the port.']

/** The innermost code of an error of `fetch`. */
function codeOf(error: unknown): string {
  const { cause, code } = Object(error) as { cause?: unknown; code?: unknown }
  if (cause !== undefined) return codeOf(cause)
  return typeof code === 'string' ? code : ''
}

function wordsFor(error: unknown): Words {
  const code = codeOf(error)
  if (code === 'UND_ERR_SOCKET') return networkErrors.ECONNRESET ?? otherError
  return networkErrors[code] ?? otherError
}

/** The problem that a status shows, if it is not allowed. */
function wordsForStatus(status: number, location: string | null): Words {
  if (status >= 300 && status < 400) {
    const target = location ?? 'another address'
    return ['redirect', `It redirects to ${target}`, 'Use the address that it redirects to.']
  }
  if (status === 401 || status === 403) {
    return ['unauthorized', `It returns ${status}`, 'Check the key, token or headers.']
  }
  if (status === 404 || status === 410) {
    return ['not-found', `It returns ${status}`, 'Check the path of the address.']
  }
  if (status >= 500) {
    return ['server-error', `It returns ${status}`, 'Look at the log of the system.']
  }
  return ['refused', `It returns ${status}`, 'Check the address and the method.']
}

/** Sends one request. Never rejects because of the system. Does not follow redirects. */
export async function probe(url: string, options: ProbeOptions): Promise<Probe> {
  const { member, method = 'GET', headers, body, signal } = options
  const { allows = (status: number) => status >= 200 && status < 300 } = options
  const fail = ([code, message, advice]: Words): Probe => ({
    problem: { code, member, message: `${message}: ${method} ${url}`, advice },
  })
  const limit = AbortSignal.timeout(5000)
  try {
    const response = await fetch(url, {
      method,
      ...(headers && { headers }),
      ...(body !== undefined && { body }),
      redirect: 'manual',
      signal: AbortSignal.any([signal, limit]),
    })
    const { status } = response
    const { text, brokenOff } = await readBody(response)
    if (brokenOff !== undefined) throw brokenOff
    const location = response.headers.get('location')
    if (!allows(status)) return fail(wordsForStatus(status, location))
    return { status, location, text, json: parseJson(text) }
  } catch (error) {
    if (signal.aborted) throw error
    const silent = 'No response within 5 seconds'
    return fail(
      limit.aborted ? ['timeout', silent, 'Check that the system runs.'] : wordsFor(error),
    )
  }
}

/** The members of a JSON object that a system returns. */
export type Members = Readonly<Record<string, unknown>>

/** Fetches a JSON object. */
export async function probeJson(
  url: string,
  options: ProbeOptions,
): Promise<{ readonly problem: PreflightProblem } | { readonly members: Members }> {
  const answer = await probe(url, options)
  if (answer.problem) return { problem: answer.problem }
  const { json } = answer
  if (isJsonObject(json)) return { members: json }
  const message = `The response is not a JSON object: GET ${url}`
  const advice = 'Check that the address is that of the API, not of a web page.'
  return { problem: { code: 'not-json', member: options.member, message, advice } }
}

/** The origin of an HTTP verb; undefined for a command, which was checked when it was read. */
function originOf(verb: unknown): string | undefined {
  const { url } = Object(verb) as { url?: unknown }
  return typeof url === 'string' ? URL.parse(url)?.origin : undefined
}

/**
 * Checks that a server answers at the address of each HTTP verb. It does not call the verbs: they
 * change the system.
 * @param prefix of the members in problems: `adapter.`
 */
export async function checkVerbs(
  verbs: Readonly<Record<string, unknown>>,
  prefix: string,
  signal: AbortSignal,
): Promise<readonly PreflightProblem[]> {
  const seen = new Set<string>()
  const problems: PreflightProblem[] = []
  for (const [name, verb] of Object.entries(verbs)) {
    const origin = originOf(verb)
    if (origin === undefined || seen.has(origin)) continue
    seen.add(origin)
    const options = { member: `${prefix}${name}.url`, allows: () => true, signal }
    const answer = await probe(origin, options)
    if (answer.problem) problems.push(answer.problem)
  }
  return problems
}

/** The system under test must reach the address of the kit. */
export function checkKitAddress(
  kit: { readonly bind?: string | undefined; readonly publicUrl?: string | undefined } | undefined,
): readonly PreflightProblem[] {
  const { bind = '127.0.0.1', publicUrl } = kit ?? {}
  const host = publicUrl === undefined ? undefined : URL.parse(publicUrl)?.hostname
  const isLoopback = (name: string) => /^(127\.|localhost$|::1$|\[::1\]$)/.test(name)
  // An address with https or a name may lead here through a proxy.
  const isDirect = publicUrl?.startsWith('http:') && /^[\d.]+$/.test(host ?? '')
  if (!isDirect || host === undefined || isLoopback(host) || !isLoopback(bind)) return []
  const message = `The kit listens on ${bind}, so nothing can reach it at ${publicUrl}.`
  return [problem('kit-unreachable', 'kit.publicUrl', message, 'Write kit.bind: 0.0.0.0')]
}
