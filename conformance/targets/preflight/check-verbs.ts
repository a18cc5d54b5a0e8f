import { type PreflightProblem, problem } from './preflight-problem.ts'
import { probe } from './probe.ts'

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
  const message = `The kit listens on ${bind}, so that nothing can reach it at ${publicUrl}.`
  return [problem('kit-unreachable', 'kit.publicUrl', message, 'Write kit.bind: 0.0.0.0')]
}
