import { didPrefixes } from '#core/did/did-org.ts'
import type { IssuerTarget } from '../../plans/issuer/z-target.ts'
import { checkDidRegistryAddress, checkTirAddress } from './check-registries.ts'
import {
  checkVerbs,
  type Members,
  type PreflightProblem,
  probe,
  probeJson,
  problem,
} from './probe.ts'

/** Problems of a credential issuer: its metadata, the registries, and its own interface. */
export async function checkIssuer(
  target: IssuerTarget,
  signal: AbortSignal,
): Promise<readonly PreflightProblem[]> {
  const { credentialIssuer, tirBaseUrl: tir, didRegistryBaseUrl: registry, portal } = target
  const registries = [
    ...(registry === undefined
      ? []
      : await checkDidRegistryAddress({ member: 'didRegistryBaseUrl', baseUrl: registry, signal })),
    ...(tir === undefined
      ? []
      : await checkTirAddress({ member: 'tirBaseUrl', baseUrl: tir, signal })),
  ]
  const portalProblem =
    portal &&
    (await probe(portal.issuerBaseUrl, {
      member: 'portal.issuerBaseUrl',
      allows: (status) => status < 500,
      signal,
    }))
  return [
    ...(await checkMetadata(credentialIssuer, signal)),
    ...registries,
    ...(registries.length === 0 ? await checkRoots(target, signal) : []),
    ...(portalProblem?.problem ? [portalProblem.problem] : []),
    ...(await checkVerbs(target.adapter, 'adapter.', signal)),
  ]
}

async function checkMetadata(
  credentialIssuer: string,
  signal: AbortSignal,
): Promise<readonly PreflightProblem[]> {
  const member = 'credentialIssuer'
  const doubled = credentialIssuer.indexOf('/.well-known')
  if (doubled >= 0) {
    const advice = `Write ${member}: ${credentialIssuer.slice(0, doubled)}`
    return [problem('path-doubled', member, 'It contains the path of the metadata.', advice)]
  }
  const url = `${credentialIssuer}/.well-known/openid-credential-issuer`
  const found = await probeJson(url, { member, signal })
  if ('problem' in found) return [found.problem]
  return checkMembers(found.members, credentialIssuer)
}

function checkMembers(members: Members, credentialIssuer: string): readonly PreflightProblem[] {
  const member = 'credentialIssuer'
  if (members.credential_issuer !== credentialIssuer) {
    const named = String(members.credential_issuer)
    const message = `Its metadata names the credential issuer ${named}.`
    return [problem('issuer-mismatch', member, message, `Write ${member}: ${named}`)]
  }
  if (typeof members.credential_endpoint === 'string') return []
  const message = 'Its metadata has no credential_endpoint.'
  return [problem('metadata-incomplete', member, message, 'Check its configuration.')]
}

/** Each root of trust must be of the environment, and in the DID registry. */
async function checkRoots(
  { rootDids = [], didRegistryBaseUrl, environment }: IssuerTarget,
  signal: AbortSignal,
): Promise<readonly PreflightProblem[]> {
  const problems = rootDids.map(async (did, index) => {
    const member = `rootDids[${index}]`
    if (!did.startsWith(didPrefixes[environment])) {
      const advice = `DIDs of ${environment} begin with ${didPrefixes[environment]}`
      return problem('environment-mismatch', member, `It is of another environment: ${did}`, advice)
    }
    if (didRegistryBaseUrl === undefined) return undefined
    const url = `${didRegistryBaseUrl}/api/v1/identifiers/${encodeURIComponent(did)}`
    const found = await probe(url, { member, allows: (status) => status < 500, signal })
    if (found.problem) return found.problem
    if (found.status < 300) return undefined
    const message = `The DID registry does not know this DID (${found.status}): ${did}`
    return problem('unknown-did', member, message, 'Check the DID and the DID registry.')
  })
  return (await Promise.all(problems)).filter((each) => each !== undefined)
}
