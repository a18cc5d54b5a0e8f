import { didPrefixes } from '#core/did/did-org.ts'
import type { DidRegistryTarget } from '../../plans/did-registry/z-target.ts'
import type { TirTarget } from '../../plans/tir/z-target.ts'
import { type PreflightProblem, probe, probeJson, problem } from './probe.ts'

interface RegistryAddress {
  readonly member: string
  readonly baseUrl: string
  readonly signal: AbortSignal
}

/** A DID registry lists its DIDs; anything else at the address is another service. */
export async function checkDidRegistryAddress(
  { member, baseUrl, signal }: RegistryAddress,
  environment?: 'pre' | 'pro',
): Promise<readonly PreflightProblem[]> {
  const doubled = baseUrl.indexOf('/api/v1')
  if (doubled >= 0) {
    const advice = `Write ${member}: ${baseUrl.slice(0, doubled)}`
    return [problem('path-doubled', member, 'It contains /api/v1, which the kit appends.', advice)]
  }
  const found = await probeJson(`${baseUrl}/api/v1/identifiers`, { member, signal })
  if ('problem' in found) return [found.problem]
  const { items } = found.members
  if (!Array.isArray(items)) {
    const message = 'The service at this address is not a DID registry: it does not list DIDs.'
    return [problem('wrong-registry', member, message, 'Use the address of the DID registry.')]
  }
  const [did] = items
  if (environment === undefined || typeof did !== 'string') return []
  if (did.startsWith(didPrefixes[environment])) return []
  const message = `Its DIDs have a different prefix: ${did}`
  const advice = `DIDs of ${environment} begin with ${didPrefixes[environment]}`
  return [problem('environment-mismatch', 'environment', message, advice)]
}

const tirPath = '/trusted-issuers-registry'

/** A TIR answers below its path; an unknown issuer is a JSON 404. */
export async function checkTirAddress({
  member,
  baseUrl,
  signal,
}: RegistryAddress): Promise<readonly PreflightProblem[]> {
  const { pathname } = new URL(baseUrl)
  if (/\/v1(\/|$)/.test(pathname)) {
    const advice = `Write ${member}: ${baseUrl.slice(0, baseUrl.indexOf('/v1'))}`
    return [problem('path-doubled', member, 'It contains /v1, which the kit appends.', advice)]
  }
  const unknown = `${baseUrl}/v1/issuers/did:org:uc:preflight/attributes/${'0'.repeat(64)}`
  const found = await probe(unknown, { member, allows: (status) => status < 500, signal })
  if (found.problem) return [found.problem]
  if (found.status >= 300 && found.status < 400) {
    const message = `It redirects: GET ${unknown}`
    return [problem('redirect', member, message, 'Use the address that it redirects to.')]
  }
  if (typeof found.json === 'object' && found.json !== null && isRegistryAnswer(found.json)) {
    return []
  }
  const hint = pathname.endsWith(tirPath) ? '' : ` It usually ends in ${tirPath}.`
  const message = 'The service at this address is not a trusted issuers registry.'
  return [problem('wrong-registry', member, message, `Use the address of the TIR.${hint}`)]
}

/** A registry names an unknown issuer; a web server says only that the path does not exist. */
function isRegistryAnswer(json: object): boolean {
  const text = JSON.stringify(json).toLowerCase()
  return /did|issuer|attribute/.test(text) && !/unknown_path|cannot get|no such path/.test(text)
}

/** The JSON-RPC of a chain answers with its id. */
async function checkChain(
  rpcUrl: string,
  signal: AbortSignal,
): Promise<readonly PreflightProblem[]> {
  const member = 'chain.rpcUrl'
  const answer = await probe(rpcUrl, {
    member,
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] }),
    signal,
  })
  if (answer.problem) return [answer.problem]
  const { result } = Object(answer.json) as { result?: unknown }
  if (typeof result === 'string' && result.startsWith('0x')) return []
  const message = 'The service at this address is not an Ethereum node.'
  return [problem('wrong-chain', member, message, 'Use the JSON-RPC address of the chain.')]
}

/** Problems of a DID registry. */
export async function checkDidRegistry(
  { baseUrl, environment, chain }: DidRegistryTarget,
  signal: AbortSignal,
): Promise<readonly PreflightProblem[]> {
  return [
    ...(await checkDidRegistryAddress({ member: 'baseUrl', baseUrl, signal }, environment)),
    ...(chain === undefined ? [] : await checkChain(chain.rpcUrl, signal)),
  ]
}

/** Problems of a TIR: both registries, its chain, and its key. */
export async function checkTir(
  target: TirTarget,
  signal: AbortSignal,
): Promise<readonly PreflightProblem[]> {
  const { baseUrl, didRegistryBaseUrl, environment, apiKey, chain } = target
  const address = await checkTirAddress({ member: 'baseUrl', baseUrl, signal })
  const registry = { member: 'didRegistryBaseUrl', baseUrl: didRegistryBaseUrl, signal }
  return [
    ...address,
    ...(await checkDidRegistryAddress(registry, environment)),
    ...(await checkChain(chain.rpcUrl, signal)),
    ...(address.length === 0 ? await checkApiKey(baseUrl, apiKey, signal) : []),
  ]
}

async function checkApiKey(baseUrl: string, apiKey: string, signal: AbortSignal) {
  const answer = await probe(`${baseUrl}/v1/jsonrpc`, {
    member: 'apiKey',
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': apiKey },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'preflight', params: [] }),
    allows: (status) => status < 500,
    signal,
  })
  if (answer.problem) return [answer.problem]
  if (answer.status !== 401 && answer.status !== 403) return []
  const message = `The TIR does not accept the key (${answer.status}).`
  return [problem('wrong-api-key', 'apiKey', message, 'Use a key with the scope tir.')]
}
