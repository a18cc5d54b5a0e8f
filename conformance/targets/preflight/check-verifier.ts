import { query } from 'jsonpath-rfc9535'
import type { VerifierTarget } from '../../plans/verifier/z-target.ts'
import type { HttpVerb } from '../adapters/z-verb.ts'
import { checkKitAddress, type PreflightProblem, probe, problem } from './probe.ts'

/** Problems of a verifier: how to start a session, and where to read its verdict. */
export async function checkVerifier(
  target: VerifierTarget,
  signal: AbortSignal,
): Promise<readonly PreflightProblem[]> {
  return [
    ...checkKitAddress(target.kit),
    ...(await checkRequest(target, signal)),
    ...(await checkPoll(target, signal)),
  ]
}

/** The link of a presentation request, anywhere in an answer. */
const link = /(?:openid4vp|https?):\/\/[^\s"'<>]*(?:request_uri|client_id)=/

async function checkRequest({ request }: VerifierTarget, signal: AbortSignal) {
  if ('page' in request) {
    const url = request.page.replaceAll('{random}', 'preflight')
    const { problem: found } = await probe(url, { member: 'request.page', signal })
    return found === undefined ? [] : [found]
  }
  const { call } = request
  return 'url' in Object(call) ? checkCall(request, call as HttpVerb, signal) : []
}

/** Starts a session, as each check does. */
async function checkCall(
  { link: linkPath, session: sessionPath }: Exclude<VerifierTarget['request'], { page: string }>,
  { url, method, headers, json, form }: HttpVerb,
  signal: AbortSignal,
): Promise<readonly PreflightProblem[]> {
  const hasBody = json !== undefined || form !== undefined
  const type = form ? 'application/x-www-form-urlencoded' : 'application/json'
  const body = form ? String(new URLSearchParams(form)) : JSON.stringify(json)
  const answer = await probe(url.replaceAll('{random}', 'preflight'), {
    member: 'request.call.url',
    method: method ?? (hasBody ? 'POST' : 'GET'),
    headers: { ...(hasBody && { 'content-type': type }), ...headers },
    body: hasBody ? body : undefined,
    signal,
  })
  if (answer.problem) return [answer.problem]
  if (linkPath === undefined && sessionPath === undefined) {
    if (link.test(answer.text)) return []
    const message = 'The response contains no link of a presentation request.'
    return [problem('link-missing', 'request.link', message, 'Add request.link, its JSONPath.')]
  }
  if (answer.json === undefined) {
    const message = 'The response is not JSON, but request.link or request.session is a JSONPath.'
    return [problem('not-json', 'request.call.url', message, 'Check the address of the call.')]
  }
  const paths = [
    ['link-missing', 'request.link', linkPath],
    ['session-missing', 'request.session', sessionPath],
  ] as const
  return paths.flatMap(([code, member, path]) => {
    if (path === undefined || query(answer.json as Parameters<typeof query>[0], path).length > 0) {
      return []
    }
    const names = Object.keys(Object(answer.json)).join(', ')
    const advice = `The response has the members: ${names}.`
    return [problem(code, member, `The response has nothing at ${path}.`, advice)]
  })
}

/** Asks for a session that does not exist: any answer shows that the address is right. */
async function checkPoll({ verdict: { poll } }: VerifierTarget, signal: AbortSignal) {
  if (poll === undefined) return []
  const url = poll.url.replaceAll(/\{\w+\}/g, 'preflight')
  const isMissing = (status: number) => status === 401 || status === 403 || status >= 500
  const { problem: found } = await probe(url, {
    member: 'verdict.poll.url',
    headers: poll.headers,
    allows: (status) => !isMissing(status) && !(status >= 300 && status < 400),
    signal,
  })
  return found === undefined ? [] : [found]
}
